import type { EntityProperty } from '@mikro-orm/core';
import type { KindContext, RulingEndpoint } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { BulkWriting } from '../../records/record.store.js';
import type { LinkWriting } from '../../records/writes/links/link.writing.js';
import type { BulkUnitWrites } from '../../records/writes/bulk/bulk.unit.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { BulkJudge } from '../bulk/bulk.judge.js';
import { recordBulkWrites } from '../bulk/record.bulk.writes.js';
import { BulkTargets } from '../bulk/bulk.targets.js';
import { LifeCycle } from '../write/life.cycle.js';
import { SoftMark } from '../write/soft/soft.mark.js';
import { WritePrecondition } from '../write/write.precondition.js';
import { OwnedLocator } from './owned.locator.js';
import { keyColumn, listColumn, nestedOption, type RelatedShape } from './related.shape.js';

/** The options of endpoints by whose rules related records are written. */
type RulingOptions = Parameters<KindContext['filter']>[1] &
  ConstructorParameters<typeof LifeCycle>[3] &
  Partial<ConstructorParameters<typeof BulkJudge>[2]> & {
    readonly columnOverrides?: Parameters<KindContext['model']>[0]['columnOverrides'];
    readonly preconditionRequired?: boolean;
    readonly recordLookupColumnName?: string;
  };

/** The rules by which the related records of a relation are written by one operation. */
export interface RelatedRules {
  readonly ruler: RulingEndpoint | undefined;
  readonly context: KindContext;
  readonly model: Model;
  readonly writing: BulkWriting;
  readonly unit: BulkUnitWrites<EndpointRequest, RecordInput>;
  /** The column in which they have the key of the record; undefined for what it refers to itself. */
  readonly key: Column | undefined;
  /** The links between them and the record; undefined where one of both has a key. */
  readonly links: LinkWriting | undefined;
  /** The options of the endpoint. */
  readonly options: RulingOptions;
}

/** The rules by which new ones are written. */
export interface CreateRules extends RelatedRules {
  readonly judge: BulkJudge;
  readonly writeable: readonly string[];
}

/** The rules by which some are written that are there. */
export interface ChangeRules extends RelatedRules {
  readonly targets: BulkTargets;
  readonly locator: OwnedLocator;
}

export interface UpdateRules extends ChangeRules, CreateRules {}

export interface DeleteRules extends ChangeRules {
  readonly mark: SoftMark | undefined;
}

/** The place of rules: an endpoint of the user's, or none. */
interface Source {
  readonly shape: RelatedShape;
  readonly ruler: RulingEndpoint | undefined;
  /** The endpoint in whose bodies they are. */
  readonly outer: KindContext;
}

/** @throws ConfigurationError */
export function createRules(source: Source): CreateRules {
  const base = baseOf(source);
  const { context, model, options } = base;
  const writeable = writeableOf(source, base);
  const judge = new BulkJudge(context, model, { ...options, writeableColumnNames: writeable }, false);
  const lifeCycle = new LifeCycle(context, model, 'create', options);
  const { unit } = recordBulkWrites(context, model, options, { judge, lifeCycle });
  return { ...base, judge, writeable, unit };
}

/** @throws ConfigurationError */
export function updateRules(source: Source): UpdateRules {
  const base = baseOf(source);
  const { context, model, options } = base;
  const writeable = writeableOf(source, base);
  const judge = new BulkJudge(context, model, { ...options, writeableColumnNames: writeable }, true);
  const lifeCycle = new LifeCycle(context, model, 'update', options);
  const { found, locator, targets } = wayTo(source.shape, base, writeable);
  const { unit } = recordBulkWrites(context, model, options, { judge, lifeCycle, found });
  return { ...base, judge, writeable, unit, targets, locator: locator() };
}

/** @throws ConfigurationError */
export function deleteRules(source: Source): DeleteRules {
  const base = baseOf(source);
  const { context, model, options } = base;
  const lifeCycle = new LifeCycle(context, model, 'delete', options);
  const { found, locator, targets } = wayTo(source.shape, base, []);
  const { unit } = recordBulkWrites(context, model, {}, { lifeCycle, found });
  return { ...base, unit, targets, locator: locator(), mark: SoftMark.of(context, model) };
}

type Base = Omit<RelatedRules, 'unit'>;

function baseOf({ shape, ruler, outer }: Source): Base {
  const context = ruler?.context ?? outer;
  const options: RulingOptions = ruler?.options ?? {};
  const { relation, form, links } = shape;
  const { columnOverrides } = options;
  const model = context.model({ modelClass: relation.target().meta.class, columnOverrides });
  const key =
    form === 'parent' || form === 'members' ? undefined : keyColumn(model, relation.property.mappedBy);
  const { bulkWriting: writing } = context.store(model);
  const { className } = model.meta;
  const refuse = (problem: string): never => {
    throw new ConfigurationError(outer.owner, nestedOption, `'${shape.name}': ${problem}`);
  };
  if (writing === undefined) return refuse(`the records of ${className} are in a backend of your own`);
  const isKeyed = form === 'children' || form === 'child';
  if (key === undefined && isKeyed) return refuse(`${className} has no column with its key`);
  const isLinked = shape.operations.has('link') || shape.operations.has('unlink');
  if (isLinked && form !== 'members' && key?.nullable !== true)
    return refuse(`link and unlink need a key that may be null, which ${key?.name ?? className} is not`);
  return { ruler, context, model, writing, key, links, options };
}

/** The way to records that are there. */
function wayTo(
  { isMany }: RelatedShape,
  { context, model, writing, key, links, options }: Base,
  writeable: readonly string[],
) {
  const precondition = new WritePrecondition(context, model, options);
  const { transformInputTypes } = options;
  // One that there is one of is not named.
  const recordLookupColumnName = isMany ? options.recordLookupColumnName : undefined;
  const named = { recordLookupColumnName, transformInputTypes, writeableColumnNames: writeable };
  const targets = new BulkTargets(context, model, named, precondition);
  let made: OwnedLocator | undefined;
  const found = {
    path: targets.path,
    filter: context.filter(model, options),
    precondition,
    around: (inner: ConstructorParameters<typeof OwnedLocator>[0]) =>
      (made = new OwnedLocator(inner, writing, links ?? key)),
  };
  const locator = (): OwnedLocator => {
    if (made === undefined) throw new TypeError('Nothing was looked for');
    return made;
  };
  return { found, locator, targets };
}

/** The columns that a body may set of related records. @throws ConfigurationError */
function writeableOf({ shape, ruler, outer }: Source, { model, key, options }: Base): readonly string[] {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(outer.owner, nestedOption, `'${shape.name}': ${problem}`);
  };
  const named = shape.option.writeableColumnNames;
  const ruled = options.writeableColumnNames;
  const { mappedBy, inversedBy } = shape.relation.property as Partial<EntityProperty>;
  // The side of a relation between many that is not declared has no column.
  const back = shape.form === 'members' ? listColumn(model, mappedBy ?? inversedBy) : key;
  const isKey = (name: string): boolean =>
    back !== undefined && model.columns.get(name)?.property === back.property;
  const own = named?.find(isKey);
  if (own !== undefined) return refuse(`'${own}' is the key of the record around it`);
  if (named === undefined && ruled === undefined) return refuse('name its writeableColumnNames');
  const other = ruled && named?.find((name) => !ruled.includes(name));
  if (other !== undefined)
    return refuse(`'${other}' is not among the writeableColumnNames of ${ruler?.context.owner ?? ''}`);
  return (named ?? ruled ?? []).filter((name) => !isKey(name));
}
