import type { EntityMetadata } from '@mikro-orm/core';
import type { NativePool } from '../../database/pool/native.pool.js';
import type { EndpointAccess } from '../../endpoint/endpoint.access.js';
import type { Effect } from '../../endpoint/endpoint.js';
import type { ReadYourWrites } from '../../endpoint/read.your.writes.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RowLevelSecurity } from '../../endpoint/row.level.security.js';
import type { TenantSchemas } from '../../endpoint/schemas/tenant.schemas.js';
import type { Storage } from '../../endpoint/storage.js';
import { ReadSource } from '../../replicas/read.source.js';
import type { Replicas } from '../../replicas/replicas.js';
import type { WriteMark } from '../../replicas/write.mark.js';
import type { RecordsView } from '../../model/soft/records.view.js';
import type { Viewer } from '../../database/viewer.js';
import { Session } from '../../visibility/session.js';

/** The facts that decide how an endpoint's requests read and write. All of it is known when the application starts. */
export interface OpeningNeeds {
  readonly storage: Storage;
  /** For statements that go past MikroORM; undefined where none does. */
  readonly pool: NativePool | undefined;
  readonly access: EndpointAccess;
  /** The entity of the endpoint's model; undefined when it has none. */
  readonly entity: EntityMetadata | undefined;
  readonly effect: Effect;
  /** True if its requests are one statement each. */
  readonly isLone: boolean;
  /** True if all statements of a request see the records of one moment. */
  readonly readsOneMoment: boolean;
  /** The records of the entity that the endpoint is about. */
  readonly records: RecordsView;
  readonly rowLevelSecurity: RowLevelSecurity | undefined;
  /** Undefined where all requests are about one schema. */
  readonly schemas: TenantSchemas | undefined;
  readonly readYourWrites: ReadYourWrites | undefined;
}

/** Opens what a request reads and writes through. */
export type SessionOpening = (request: EndpointRequest) => Session;

/**
 * Makes the function that opens sessions of an endpoint: in one step where there are no replicas, no rules about records,
 * no policies and no schemas of tenants. A part of another request takes part in its session.
 */
export function sessionOpening(needs: OpeningNeeds): SessionOpening {
  const { storage, pool, access, entity, effect, isLone, readsOneMoment } = needs;
  const { rowLevelSecurity, schemas, readYourWrites } = needs;
  const { database, replicas } = storage;
  const shown = shownBy(needs);
  const viewerOf = (request: EndpointRequest): Viewer => {
    const found = access.viewerOf(request, entity);
    const about = shown === undefined ? found : { ...found, shown };
    const viewer = readsOneMoment ? { ...about, readsOneMoment } : about;
    return isLone && rowLevelSecurity !== undefined ? { ...viewer, isLone } : viewer;
  };
  const isAlike = rowLevelSecurity === undefined && schemas === undefined && !readsOneMoment;
  const isPlain = access.records.isOpen && isAlike && replicas === undefined;
  return (request) => {
    if (request.whole !== undefined) return request.whole.part(viewerOf(request));
    const { cancellation } = request;
    if (isPlain) return new Session(database, pool, { cancellation, shown });
    const reads = replicas && readsOf(request, replicas, effect, readYourWrites);
    return new Session(database, pool, viewerOf(request), reads);
  };
}

/** The records that the endpoint is about; undefined for the live ones. */
function shownBy({ entity, records }: OpeningNeeds): Viewer['shown'] {
  return entity === undefined || records === 'live' ? undefined : { entity, view: records };
}

/** The source that a request reads from. */
function readsOf(
  request: EndpointRequest,
  replicas: Replicas,
  effect: Effect,
  readYourWrites: ReadYourWrites | undefined,
): ReadSource {
  const marks = (): readonly WriteMark[] => readYourWrites?.marksOf(request) ?? [];
  const { cancellation } = request;
  const next = replicas.next.bind(replicas);
  return new ReadSource({ next, marks, isForEndpoint: effect === 'reads', cancellation });
}
