import type { EntityMetadata } from '@mikro-orm/core';
import { customaryTime } from '../../endpoint/options/settings.js';
import type { LiveOptions } from '../../endpoint/live/live.options.js';
import type { Sight } from '../../endpoint/live/live.streams.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { Representation } from '../../endpoint/answers/representation.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { Cancellation } from '../../limits/cancellation.js';
import type { RecordedEntity } from '../../metadata/recorded/recorded.entity.js';
import type { Model } from '../../model/model.js';
import type { ListPlan, SelectedColumn } from '../../query/query.plan.js';
import { spellings } from '../../request/search.entry.js';
import { rowWriter } from '../../sql/row.writer.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { BadRequest } from '../../wire/refusals.js';
import { secretList } from '../../wire/secret.list.js';
import { onceEach } from '../record/once.each.js';
import { narrowedBy, recordOutput, type RecordOutput } from '../record/record.output.js';
import { SelectableOutput } from '../record/selectable.output.js';
import { LiveSight, type LiveOutput } from './live.sight.js';
import { shapeOf } from './sight.key.js';
import { withinPolicies } from './within.policies.js';

/** The options that decide what can be followed. */
interface LiveRecordsSource extends LiveOptions {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: unknown;
  readonly groupByColumnName?: unknown;
  readonly searchableColumnNames?: readonly string[] | undefined;
  readonly includableColumnNames?: readonly string[] | undefined;
  readonly clientSelectsColumns?: boolean | undefined;
}

/** The parameters of a request, without those that are read already. */
interface LiveParameters {
  readonly request: EndpointRequest;
  readonly query: ReadonlyMap<string, string>;
  readonly body: ReadonlyMap<string, unknown>;
}

/** Reads which records a request asks for. */
interface LivePlans {
  /** True if a request is for one record. */
  readonly isOne: boolean;
  /** True if the query string says what is shown. */
  readonly readsQuery: boolean;
  plan(parameters: LiveParameters): {
    readonly plan: ListPlan;
    /** The key of the only record that it can be about; undefined where there may be others. */
    readonly subject?: string | undefined;
  };
}

/** The control word that leaves the first page out. */
const word = 'snapshot';

/** The streams of an endpoint's records; none where it has no `live`. @throws ConfigurationError */
export function liveRecords(
  context: KindContext,
  model: Model,
  filter: RecordFilter,
  source: LiveRecordsSource,
  plans: LivePlans,
): readonly Representation[] {
  const { live = false } = source;
  if (live === false) return [];
  const { root, settings, names, owner, database } = context;
  const streams = root.live ?? refuse(context, 'needs `live` of EndpointsModule.forRoot: new LiveLists()');
  const { name, options } = followed(context, model, source);
  const spelt = spellings(names, [word]);
  const clash = source.searchableColumnNames?.find((one) => spelt.has(names.outward(one)));
  if (clash !== undefined)
    throw new ConfigurationError(owner, 'searchableColumnNames', `'${clash}': live reads it as a control`);
  const outputOf = outputsOf(context, model, source);
  const read = async (request: EndpointRequest): Promise<Sight> => {
    const { wantsFirst, query } = withoutWord(request.queryParameters, spelt);
    const taken = outputOf.outputs.taken(query, request.jsonObject() ?? new Map(), plans.readsQuery);
    const { plan, subject } = plans.plan({ request, query: taken.query, body: taken.body });
    if (!('start' in plan.from) || plan.from.start !== 0)
      throw new BadRequest('A stream begins with the first page');
    const narrowed = filter.needsSql ? await narrowedBy(filter, request) : [];
    return LiveSight.of({
      request,
      output: outputOf.live(taken.output),
      plan: { ...plan, readsCursor: false, count: 'none' },
      narrowed,
      subject,
      isOne: plans.isOne,
      wantsFirst,
      sightOf,
      judgedAgain: (asked, cancellation) => context.judgedAgain(asked, cancellation),
    });
  };
  // Rules may ask the database.
  const sightOf = (request: EndpointRequest): Promise<Sight> =>
    withinPolicies(request.session, () => read(request));
  const made = streams.of({
    owner,
    model: name,
    keepFor: options.keepFor,
    settings: live === true ? {} : live,
    secrets: secretList(root.cursorSecret),
    stallLimit: settings.stallTimeout,
    database,
    readsAtOnce: database.mostBeside,
    timeLimit: settings.timeout === 0 ? customaryTime : settings.timeout,
    read: (schema, work, outer) => {
      const read = (cancellation: Cancellation) => work(database.fork({ schema, cancellation }));
      return Cancellation.within(customaryTime, read, outer);
    },
    word: (text) => names.control(text),
    sightOf,
  });
  return [made];
}

/** @throws ConfigurationError where changes of the records do not tell all that a stream shows */
function followed(context: KindContext, model: Model, source: LiveRecordsSource): RecordedEntity {
  const { database, owner } = context;
  const { className } = model.meta;
  if (source.outputMap !== undefined)
    return refuse(context, 'outputMap shows what it gives to each client: leave one of the two out');
  if (source.groupByColumnName !== undefined)
    return refuse(context, 'which record of a group is shown depends on the others of it');
  if (!context.store(model).knowsSql) return refuse(context, 'a backend of your own cannot do this');
  if (!database.dialect.hasCatalogue)
    return refuse(context, 'the log of changes is read on PostgreSQL alone');
  const target = database.changes?.of(model.meta);
  if (target === undefined)
    return refuse(context, `changes of ${className} are not recorded; call recordChanges(${className}, …)`);
  const { entity, log } = target;
  if (entity.part !== undefined)
    return refuse(context, `${className} has a key of several columns, which a stream does not follow`);
  if (context.root.schemaOf !== undefined && hasOwnSchema(model.meta) !== hasOwnSchema(log))
    return refuse(
      context,
      `with schemaOf ${className} and ChangeRecord need both a schema of their own, or none`,
    );
  if ((entity.options.columns ?? 'all') !== 'all')
    return refuse(context, `recordChanges(${className}) must record all columns`);
  const { idColumn } = model;
  if (idColumn.conversion !== undefined)
    return refuse(context, `the key '${idColumn.name}' has a MikroORM type of its own`);
  if (!source.readableColumnNames.includes(idColumn.name)) {
    const problem = `must have '${idColumn.name}', by which clients know the records of a stream`;
    throw new ConfigurationError(owner, 'readableColumnNames', problem);
  }
  return entity;
}

function hasOwnSchema({ schema }: EntityMetadata): boolean {
  return schema !== undefined && schema !== '*';
}

/** The outputs of the endpoint once more, which read the keys of records, too. */
function outputsOf(
  context: KindContext,
  model: Model,
  source: LiveRecordsSource,
): {
  readonly outputs: SelectableOutput<RecordOutput>;
  readonly live: (output: RecordOutput) => LiveOutput;
} {
  const { names, database } = context;
  const { platform } = database.dialect;
  const { readableColumnNames } = source;
  const key: SelectedColumn = { kind: 'column', name: model.idPath.text, path: model.idPath };
  const outputs = SelectableOutput.of(context, model, source, (chosen) =>
    recordOutput(context, model, { readableColumnNames }, undefined, undefined, chosen, [key]),
  );
  const live = onceEach(({ reading, shown }: RecordOutput) => ({
    model,
    reading,
    shape: shapeOf(shown),
    write: rowWriter(shown, reading.layout, names, platform),
    writeId: rowWriter(key, reading.layout, names, platform),
  }));
  return { outputs, live };
}

/** Reads whether a stream begins with the records of the first page. @throws BadRequest */
function withoutWord(
  parameters: ReadonlyMap<string, string>,
  spelt: ReadonlyMap<string, string>,
): { readonly wantsFirst: boolean; readonly query: ReadonlyMap<string, string> } {
  const query = new Map(parameters);
  let wantsFirst = true;
  for (const [name, text] of parameters) {
    if (!spelt.has(name)) continue;
    if (text !== 'true' && text !== 'false') throw new BadRequest(`'${name}' must be true or false`);
    wantsFirst = text === 'true';
    query.delete(name);
  }
  return { wantsFirst, query };
}

function refuse(context: KindContext, problem: string): never {
  throw new ConfigurationError(context.owner, 'live', problem);
}
