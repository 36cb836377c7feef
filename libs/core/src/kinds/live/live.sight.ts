import type { LiveSource, SeenRecord, SeenRecords, Sight } from '../../endpoint/live/live.streams.js';
import { identityKey } from '../../endpoint/limits/identity.key.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Cancellation } from '../../limits/cancellation.js';
import type { Model } from '../../model/model.js';
import type { Condition, ListPlan } from '../../query/query.plan.js';
import type { RecordReading, RowPage } from '../../records/record.store.js';
import type { Fragment } from '../../sql/restriction.js';
import type { Row } from '../../sql/row.layout.js';
import { recordedKey, rowsText, type RowWriter } from '../../sql/row.writer.js';
import { sessionsBeside, type SessionsBeside } from '../../visibility/sessions.beside.js';
import { refusedSearch } from '../record/refused.values.js';
import { sightKey } from './sight.key.js';
import { withinPolicies } from './within.policies.js';

/** The way in which an endpoint reads and writes the records of a stream, for one selection of columns. */
export interface LiveOutput {
  readonly model: Model;
  readonly reading: RecordReading;
  /** The names of what a record shows, in their order. */
  readonly shape: unknown;
  readonly write: RowWriter;
  /** Writes the key of a record as the endpoint shows it. */
  readonly writeId: RowWriter;
}

/** The parts of a request for a stream. */
export interface LiveAsked {
  readonly request: EndpointRequest;
  readonly output: LiveOutput;
  readonly plan: ListPlan;
  readonly narrowed: readonly Fragment[];
  readonly subject: string | undefined;
  /** True if it is one record, and no list. */
  readonly isOne: boolean;
  readonly wantsFirst: boolean;
  readonly sightOf: LiveSource['sightOf'];
  readonly judgedAgain: KindContext['judgedAgain'];
}

/** The sight of one request, as it was when it was judged: what rules said then holds until it is judged again. */
export class LiveSight implements Sight {
  readonly key: string;
  readonly sender: string | undefined;
  readonly schema: string | undefined;
  readonly address: string | undefined;
  readonly expires: number | undefined;
  readonly limit: number;
  readonly subject: string | undefined;
  readonly wantsFirst: boolean;

  private constructor(
    private readonly asked: LiveAsked,
    private readonly sessions: SessionsBeside,
  ) {
    const { request, plan, output } = asked;
    const { authorizationData: identity } = request;
    this.key = sightKey(output.shape, asked, sessions);
    this.sender = identityKey(identity);
    this.schema = sessions.schema;
    this.address = request.address;
    this.expires = expiryOf(identity);
    this.limit = plan.limit;
    this.subject = asked.subject;
    this.wantsFirst = asked.wantsFirst;
  }

  static async of(asked: LiveAsked): Promise<LiveSight> {
    const { request, plan, output } = asked;
    return new LiveSight(asked, await sessionsBeside(request.session, output.reading.entitiesOf(plan)));
  }

  async first(
    cancellation: Cancellation,
  ): Promise<{ readonly data: string; readonly records: SeenRecords } | undefined> {
    const { plan, output, isOne } = this.asked;
    const { rows } = await this.#list(plan, cancellation);
    const records = this.#seen(rows);
    if (!isOne) return { data: rowsText(rows, output.write), records };
    const [row] = rows;
    return row === undefined ? undefined : { data: output.write(row), records };
  }

  async seen(keys: readonly string[], cancellation: Cancellation): Promise<SeenRecords> {
    const { plan, output } = this.asked;
    const { idPath } = output.model;
    const { type } = idPath.column;
    const value = keys.map((key) => type.fromText(key)).filter((one) => type.complaint(one) === undefined);
    if (value.length === 0) return new Map();
    const changed: Condition = { path: idPath, comparison: 'in', value };
    const conditions = [...plan.conditions, changed];
    const narrowed = { ...plan, conditions, sorts: [], limit: value.length };
    const { rows } = await this.#list(narrowed, cancellation);
    return this.#seen(rows);
  }

  async again(cancellation: Cancellation): Promise<Sight> {
    const { judgedAgain, sightOf, request } = this.asked;
    return sightOf(await judgedAgain(request, cancellation));
  }

  async #list(plan: ListPlan, cancellation: Cancellation): Promise<RowPage> {
    const { output, narrowed } = this.asked;
    const session = this.sessions.open(cancellation);
    try {
      return await withinPolicies(session, () => output.reading.list(session, plan, narrowed));
    } catch (error) {
      throw refusedSearch(error);
    }
  }

  #seen(rows: readonly Row[]): SeenRecords {
    const { output } = this.asked;
    const { idPath } = output.model;
    const at = output.reading.layout.at(idPath);
    const seen = new Map<string, SeenRecord>();
    for (const row of rows)
      seen.set(recordedKey(idPath.column.type, row[at]), {
        text: output.write(row),
        id: output.writeId(row),
      });
    return seen;
  }
}

/** The end of a token: `exp`, in seconds since 1970 (RFC 7519, 4.1.4). */
function expiryOf(identity: unknown): number | undefined {
  if (typeof identity !== 'object' || identity === null || !Object.hasOwn(identity, 'exp')) return undefined;
  const exp: unknown = Reflect.get(identity, 'exp');
  return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
}
