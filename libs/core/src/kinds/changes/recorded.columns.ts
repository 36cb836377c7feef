import type { KindContext } from '../../endpoint/kind.context.js';
import { recordRules } from '../../endpoint/options/settings.js';
import { CombinedAuthorization } from '../../access/combined.authorization.js';
import { narrows, type AuthorizationRule } from '../../access/authorization.js';
import type { Column } from '../../model/column.js';
import type { RecordedEntity } from '../../metadata/recorded/recorded.entity.js';
import type { Model } from '../../model/model.js';
import type { Condition } from '../../query/query.plan.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { RecordHistory } from '../../records/changes/record.history.js';
import { ConfigurationError, UnfitModel } from '../../wire/configuration.error.js';
import { narrowedParent } from './narrowed.parent.js';

/** The options of endpoints that tell what records were. */
interface RecordedSource {
  readonly readableColumnNames: readonly string[];
  readonly narrowedBy?: readonly string[] | undefined;
}

/** The recorded past of an endpoint's records, and how much of it a request may see. */
export interface RecordedPast {
  readonly history: RecordHistory;
  readonly columns: readonly Column[];
  /** The names of the properties that say whose a record is. */
  readonly narrowedBy: readonly string[];
  /** True if a request may be kept from seeing records that are there. */
  readonly isNarrowed: boolean;
}

/**
 * The past of the endpoint's records.
 *
 * @param option the one that asks for it, for error messages
 * @param showsNames whether columns are told of whose values the log has not
 * @throws ConfigurationError where nothing is recorded of them, and where it is not known whose the records were
 */
export function recordedPast(
  context: KindContext,
  model: Model,
  filter: RecordFilter,
  source: RecordedSource,
  { option, showsNames }: { readonly option: string; readonly showsNames: boolean },
): RecordedPast {
  const { owner, database } = context;
  const refuse = (name: string, problem: string): never => {
    throw mistake(owner, name, problem);
  };
  const { className } = model.meta;
  if (!database.dialect.hasCatalogue) return refuse(option, 'the log of changes is read on PostgreSQL alone');
  const target = database.changes?.of(model.meta);
  if (target === undefined || !context.store(model).knowsSql)
    return refuse(option, `changes of ${className} are not recorded; call recordChanges(${className}, …)`);
  const { entity } = target;
  if (entity.options.values === false)
    return refuse(option, `recordChanges(${className}) has \`values: false\`, so that no value is known`);
  const columns = source.readableColumnNames.map((name) => {
    const column = model.columns.get(name);
    if (column === undefined)
      return refuse('readableColumnNames', `'${name}' is no column of ${className} itself`);
    if (column.hiddenBecause !== undefined)
      return refuse('readableColumnNames', `'${name}' ${column.hiddenBecause}`);
    const recorded = entity.columns.find(({ property }) => property === column.property);
    if (recorded === undefined) return refuse('readableColumnNames', `changes of '${name}' are not recorded`);
    if (recorded.isWithheld && !showsNames)
      return refuse('readableColumnNames', `'${name}' is sensitive: the log has no values of it`);
    return column;
  });
  const given = source.narrowedBy?.map((name) => {
    const found = entity.columns.find(
      ({ property }) => property.name === model.columns.get(name)?.property.name || property.name === name,
    );
    return found?.property.name ?? refuse('narrowedBy', `changes of '${name}' are not recorded`);
  });
  const isNarrowed = context.hides(model) || !filter.isOpen;
  const known = knownNarrowing(context, model, filter, entity);
  if (isNarrowed && given === undefined && (known === undefined || known.length === 0))
    return refuse(
      'narrowedBy',
      "is required: rules or `where` narrow the records, and nobody knows by which columns, so that a record may have been another's before",
    );
  const isSaid = given !== undefined && given.length > 0;
  const parent = isSaid ? undefined : narrowedParent(context, model.meta)?.className;
  if (parent !== undefined)
    return refuse(
      'narrowedBy',
      `is required: rules narrow ${parent}, which the path names, so that with it a record may have been another's before, without a change of its own; name the properties of ${className} that say whose it is, or its parent where that never becomes another's`,
    );
  const narrowedBy = [...new Set([...(given ?? []), ...(known ?? [])])];
  const unrecorded = narrowedBy.find(
    (name) => !entity.columns.some(({ property }) => property.name === name),
  );
  if (unrecorded !== undefined) return refuse('narrowedBy', `changes of '${unrecorded}' are not recorded`);
  // A log from before ends and beginnings were told has a change of the key among the values.
  if (isNarrowed) narrowedBy.push(entity.key.name);
  return { history: new RecordHistory(database.dialect, target), columns, narrowedBy, isNarrowed };
}

function mistake(owner: string, option: string, problem: string): ConfigurationError {
  const isModel = option === 'modelClass';
  return isModel ? new UnfitModel(owner, problem) : new ConfigurationError(owner, option, problem);
}

/** The properties by which rules and `where` narrow the records; undefined where one of them does not say it. */
function knownNarrowing(
  context: KindContext,
  model: Model,
  filter: RecordFilter,
  { columns }: RecordedEntity,
): readonly string[] | undefined {
  const { settings, root, database } = context;
  // Policies and MikroORM's filters say what they like.
  if (root.rowLevelSecurity !== undefined || database.filtered.isDeclared(model.meta)) return undefined;
  // Changes of a record's parents, of what is computed, and of what functions ask for, are none of its own.
  const isOwn = ({ path }: Condition): boolean =>
    path.relations.length === 0 && columns.some(({ property }) => property === path.column.property);
  if (filter.needsSql || !filter.conditions.every(isOwn)) return undefined;
  const names = filter.conditions.map(({ path }) => path.column.property.name);
  for (const rule of recordRules(settings).flatMap(each)) {
    if (!narrows(rule)) continue;
    const scope = rule.scopeOf?.(model.meta);
    if (scope === undefined) return undefined;
    names.push(...scope.conditions.map(({ propertyName }) => propertyName));
  }
  return names;
}

function each(rule: AuthorizationRule): readonly AuthorizationRule[] {
  return rule instanceof CombinedAuthorization ? rule.rules.flatMap(each) : [rule];
}
