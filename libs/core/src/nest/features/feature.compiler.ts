import { Injectable, Logger, type Type } from '@nestjs/common';
import { completedKind, type CompletedKind } from '../../endpoint/completed.kind.js';
import { ParentCheck } from '../../endpoint/parent.check.js';
import { EndpointModels } from '../../endpoint/endpoint.models.js';
import { KindContext } from '../../endpoint/kind.context.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import type { RootOptions } from '../../endpoint/options/settings.js';
import { PartitionRule } from '../../access/partition.rule.js';
import { LimitGate } from '../../endpoint/limits/limit.gate.js';
import { EndpointAccess } from '../../endpoint/endpoint.access.js';
import { RowLevelSecurity } from '../../endpoint/row.level.security.js';
import { TenantSchemas } from '../../endpoint/schemas/tenant.schemas.js';
import { consistencyHeader, type ReadYourWrites } from '../../endpoint/read.your.writes.js';
import type { NativePool } from '../../database/pool/native.pool.js';
import { Session } from '../../visibility/session.js';
import type { Endpoint } from '../../endpoint/endpoint.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { externalNamesOf } from '../../endpoint/versions/external.names.js';
import { NameTable } from '../../wire/name.table.js';
import { poolFor, type Storage } from '../../endpoint/storage.js';
import { AnswerStyle } from '../../http/answers/answer.style.js';
import type { CompiledEndpoint } from '../../http/compiled.endpoint.js';
import { Consistency } from '../../http/consistency.js';
import { OperationDispatch } from '../../http/dispatch/operation.dispatch.js';
import { ApplicationDocumentation } from '../documentation/application.documentation.js';
import { EndpointDirectory, type CompiledFeature } from '../../http/endpoint.directory.js';
import { Observation } from '../../http/observation/observation.js';
import { refuseMissing } from './refused.settings.js';
import { judgedBy, lookedAt } from './judged.requests.js';
import { settingsAt } from './leaf.settings.js';
import { toldMistake } from './told.mistake.js';
import { tellOrigins } from './told.origins.js';
import { staged, type StageNeeds } from './handler.stages.js';
import { sessionOpening, type OpeningNeeds, type SessionOpening } from './session.opening.js';
import { neighboursOf } from './neighbours.js';
import { rulingEndpoint } from './ruling.endpoint.js';
import { ChangeSweep } from '../change.sweep.js';
import { IdempotencySweep } from '../idempotency.sweep.js';
import { NestProviders } from '../providers/nest.providers.js';
import type { MountedFeature } from '../../http/mounted.feature.js';

/** Makes endpoints ready, when the application starts and metadata is complete. */
@Injectable()
export class FeatureCompiler {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly providers: NestProviders,
    private readonly documentation: ApplicationDocumentation,
    private readonly observation: Observation,
    private readonly consistency: Consistency,
    private readonly sweep: IdempotencySweep,
    private readonly changes: ChangeSweep,
    private readonly dispatching: OperationDispatch,
  ) {}

  /**
   * @param storage undefined in an application without MikroORM
   * @throws ConfigurationError, naming endpoint, option, value and the allowed values
   */
  compile(feature: MountedFeature, storage: Storage | undefined): CompiledFeature {
    const { options, cursors } = this.directory;
    const rowLevelSecurity = rowLevelSecurityOf(options, storage);
    const schemas = TenantSchemas.of(options, storage?.database);
    const { providers, documentation, observation, sweep, dispatching } = this;
    if (storage !== undefined) observation.listenTo(storage.database);
    if (storage !== undefined) {
      tellOrigins(storage.database, options);
      this.changes.add(storage.database);
    }
    if (rowLevelSecurity !== undefined) providers.whenReady(() => adviseOf(rowLevelSecurity));
    const setting: Setting = {
      options,
      pool: storage && poolFor(storage.database, options),
      cursors,
      storage,
      providers,
      documentation,
      dispatching,
      rowLevelSecurity,
      schemas,
      observation,
      readYourWrites: this.consistency.of(storage),
      sweep,
      rulers: () => [...this.directory.endpoints.values()].map(({ ruling }) => ruling),
      partition: options.partition && new PartitionRule(options.partition),
    };
    const endpoints = feature.tree.leaves.map((leaf) => told(leaf, () => compiled(leaf, feature, setting)));
    const database = storage?.database;
    const open = (schema?: string): Session => sessionOn(setting, schema);
    return this.directory.add({ ...feature, endpoints, database, open });
  }
}

/** Warns of policies that cost more than they seem to. */
async function adviseOf(rowLevelSecurity: RowLevelSecurity): Promise<void> {
  const advice = await rowLevelSecurity.advice();
  if (advice !== undefined) new Logger('Endpoints').warn(advice);
}

function controllerOf({ controllers }: MountedFeature, leaf: RouteLeaf): Type {
  const controller = controllers.get(leaf);
  if (controller === undefined) throw new Error(`${leaf.owner} has no controller`);
  return controller;
}

function told(leaf: RouteLeaf, compile: () => CompiledEndpoint): CompiledEndpoint {
  try {
    return compile();
  } catch (error) {
    throw toldMistake(leaf, error);
  }
}

/** The objects that all endpoints of a feature are compiled with. */
interface Setting {
  readonly options: RootOptions;
  readonly cursors: EndpointDirectory['cursors'];
  readonly storage: Storage | undefined;
  /** For statements that go past MikroORM; undefined where none does. */
  readonly pool: NativePool | undefined;
  readonly providers: NestProviders;
  readonly documentation: ApplicationDocumentation;
  readonly dispatching: OperationDispatch;
  readonly rowLevelSecurity: RowLevelSecurity | undefined;
  /** Undefined where all requests are about one schema. */
  readonly schemas: TenantSchemas | undefined;
  readonly observation: Observation;
  /** Undefined where clients are promised nothing. */
  readonly readYourWrites: ReadYourWrites | undefined;
  readonly sweep: IdempotencySweep;
  readonly rulers: KindContext['rulers'];
  readonly partition: PartitionRule | undefined;
}

function compiled(leaf: RouteLeaf, feature: MountedFeature, setting: Setting): CompiledEndpoint {
  const { options, storage, rowLevelSecurity, observation } = setting;
  const { endpoint, owner } = leaf;
  // Nothing that a client says makes a check of the service's health anything but its own answer.
  const readYourWrites = endpoint.isVital ? undefined : setting.readYourWrites;
  refuseMissing(owner, endpoint);
  const settings = settingsAt(leaf, setting);
  const database = storage?.database;
  // What is about no records needs no tables.
  const schemas = endpoint.hasRecords ? setting.schemas : undefined;
  const access = accessOf(owner, settings, { ...setting, readYourWrites, schemas });
  const names = namesOf(settings, endpoint);
  const neighbours = (): readonly RouteLeaf[] => neighboursOf(feature, leaf);
  const judgedAgain = judgedBy(() => ({ access, looked }));
  const mistake = (error: unknown): unknown => toldMistake(leaf, error);
  const made = { settings, names, root: options, records: access.records, neighbours, judgedAgain, mistake };
  const parts = { ...setting, ...leaf, ...made, options: endpoint.options };
  const models = new EndpointModels(parts);
  const context = new KindContext({ ...parts, models });
  const kind = completedKind(endpoint, context);
  const { entity } = models;
  const facts = { kind: endpoint.kind, path: leaf.pattern.toString(), modelName: entity?.className };
  if (database !== undefined && kind.keepsAnswers)
    setting.sweep.add(database, (schema) => sessionOn(setting, schema));
  const parents = settings.parent && ParentCheck.of(owner, settings.parent, models);
  const looked = lookedAt({ parents, rowLevelSecurity });
  const needs = {
    observation,
    facts,
    effect: endpoint.effect,
    readYourWrites,
    rowLevelSecurity,
    parents,
    looked,
    isConditional: false,
    representations: kind.representations,
  };
  return {
    leaf,
    ruling: rulingEndpoint(leaf, context, access, models, kind),
    controller: controllerOf(feature, leaf),
    style: new AnswerStyle(settings, kind.representations.length > 0),
    names,
    ...handlersOf(kind, needs),
    describe: () => (settings.hidden ? undefined : described(kind, needs)),
    way: models.hasStores ? wayOf(kind) : undefined,
    columnUses: kind.columnUses,
    tellingUniques: models.tellingUniques,
    warnings: kind.warnings,
    fillers: models.fillers,
    requestHeaders: new Set([...kind.reads, ...(readYourWrites === undefined ? [] : [consistencyHeader])]),
    access: access.isOpen && !observation.isOn ? undefined : observation.access(access, facts),
    ending: settings.deprecation?.endsAtSunset === true ? settings.deprecation : undefined,
    limits: LimitGate.of(owner, settings.limits),
    timeout: settings.timeout,
    open: openingOn({ access, entity, effect: needs.effect, kind }, setting),
    facts,
    modelComment: entity?.comment,
    isBatchable: endpoint.isBatchable && settings.inBatches && !models.isBacked,
    database,
  };
}

function namesOf(
  { internalCasing, externalCasing }: KindContext['settings'],
  { options }: Endpoint,
): NameTable {
  return new NameTable(internalCasing, externalCasing, externalNamesOf(options));
}

function accessOf(owner: string, settings: KindContext['settings'], setting: Setting): EndpointAccess {
  const { providers, rowLevelSecurity, readYourWrites, storage, schemas } = setting;
  const nobody = (): Session => sessionOn(setting);
  const dialect = storage?.database.dialect;
  return new EndpointAccess(
    owner,
    settings,
    providers,
    rowLevelSecurity,
    nobody,
    readYourWrites,
    dialect,
    schemas,
  );
}

/** The way of an endpoint to its records, in words for the log. */
function wayOf({ reasons: [reason] }: CompletedKind): string {
  return reason === undefined ? 'statements of its own' : `MikroORM's way, because ${reason}`;
}

function described(
  { describe }: CompletedKind,
  { effect, readYourWrites, parents }: StageNeeds,
): OperationDescription | undefined {
  const known = describe();
  const description = known && (parents?.describe(known) ?? known);
  return description && (readYourWrites?.describe(description, effect) ?? description);
}

/** The handlers of requests without `If-None-Match` and with it. */
function handlersOf(
  { handle, isConditional }: CompletedKind,
  needs: StageNeeds,
): Pick<CompiledEndpoint, 'handler' | 'conditionalHandler'> {
  const handler = staged(handle, needs);
  return {
    handler,
    conditionalHandler: isConditional ? staged(handle, { ...needs, isConditional }) : handler,
  };
}

function openingOn(
  {
    kind,
    ...endpoint
  }: Pick<OpeningNeeds, 'access' | 'entity' | 'effect'> & { readonly kind: CompletedKind },
  setting: Setting,
): SessionOpening {
  const { storage, pool, rowLevelSecurity, schemas, readYourWrites } = setting;
  if (storage === undefined) return () => sessionOn(setting);
  const { isOneStatement: isLone, readsOneMoment, records } = kind;
  return sessionOpening({
    ...endpoint,
    isLone,
    readsOneMoment,
    records,
    storage,
    pool,
    rowLevelSecurity,
    schemas,
    readYourWrites,
  });
}

/** A session of nobody. @param schema undefined for MikroORM's own */
function sessionOn({ pool, storage }: Setting, schema?: string): Session {
  if (storage === undefined) throw new Error('There is no MikroORM in this application to ask');
  return new Session(storage.database, pool, schema === undefined ? undefined : { schema });
}

function rowLevelSecurityOf(
  { rowLevelSecurity, partition }: RootOptions,
  storage: Storage | undefined,
): RowLevelSecurity | undefined {
  if (rowLevelSecurity === undefined || storage === undefined) return undefined;
  return new RowLevelSecurity(rowLevelSecurity, storage.database, partition !== undefined);
}
