import type { EntityName } from '@mikro-orm/core';
import { Injectable, type Type } from '@nestjs/common';
import { Compilation } from '../../endpoint/compilation.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import { settingsOf, type InheritedSettings, type RootOptions } from '../../endpoint/options/settings.js';
import { Public } from '../../access/authentication.js';
import { EndpointAccess } from '../../endpoint/endpoint.access.js';
import { RowLevelSecurity } from '../../endpoint/row.level.security.js';
import { consistencyHeader, type ReadYourWrites } from '../../endpoint/read.your.writes.js';
import type { NativePool } from '../../database/pool/native.pool.js';
import { Session } from '../../visibility/session.js';
import type { Endpoint } from '../../endpoint/endpoint.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import type { Casing } from '../../wire/casing.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { poolFor, type Storage } from '../../endpoint/storage.js';
import { AnswerStyle } from '../../http/answers/answer.style.js';
import type { CompiledEndpoint } from '../../http/compiled.endpoint.js';
import { Consistency } from '../../http/consistency.js';
import { ApplicationDocumentation } from '../documentation/application.documentation.js';
import { EndpointDirectory, type CompiledFeature } from '../../http/endpoint.directory.js';
import { Observation } from '../../http/observation/observation.js';
import { staged } from './handler.stages.js';
import { sessionOpening, type OpeningNeeds, type SessionOpening } from './session.opening.js';
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
  ) {}

  /**
   * @param storage undefined in an application without MikroORM
   * @throws ConfigurationError, naming endpoint, option, value and the allowed values
   */
  compile(feature: MountedFeature, storage: Storage | undefined): CompiledFeature {
    const { options, cursors } = this.directory;
    const rowLevelSecurity = rowLevelSecurityOf(options, storage);
    const { providers, documentation, observation, sweep } = this;
    if (storage !== undefined) observation.listenTo(storage.database);
    if (rowLevelSecurity !== undefined) providers.whenReady(() => rowLevelSecurity.check());
    const setting: Setting = {
      options,
      pool: storage && poolFor(storage.database, options),
      cursors,
      storage,
      providers,
      documentation,
      rowLevelSecurity,
      observation,
      readYourWrites: this.consistency.of(storage),
      sweep,
    };
    const endpoints = feature.tree.leaves.map((leaf) =>
      told(leaf, () => compiled(leaf, controllerOf(feature, leaf), setting)),
    );
    const database = storage?.database;
    const open = (): Session => sessionOn(setting);
    return this.directory.add({ ...feature, endpoints, database, open });
  }
}

function controllerOf({ controllers }: MountedFeature, leaf: RouteLeaf): Type {
  const controller = controllers.get(leaf);
  if (controller === undefined) throw new Error(`${leaf.owner} has no controller`);
  return controller;
}

/** A mistake is told of what the user wrote, which may have made the endpoint. */
function told(leaf: RouteLeaf, compile: () => CompiledEndpoint): CompiledEndpoint {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ConfigurationError) || error.owner !== leaf.owner) throw error;
    const option = leaf.groups.at(-1)?.optionOf(leaf.endpoint, error.option) ?? error.option;
    if (option === error.option) throw error;
    throw new ConfigurationError(error.owner, option, error.problem, { cause: error });
  }
}

/** No matter who asks. */
const everybody = { authentication: new Public(), authorizations: [] };

/** What all endpoints of a feature are compiled with. */
interface Setting {
  readonly options: RootOptions;
  readonly cursors: EndpointDirectory['cursors'];
  readonly storage: Storage | undefined;
  /** For statements that go past MikroORM; undefined where none does. */
  readonly pool: NativePool | undefined;
  readonly providers: NestProviders;
  readonly documentation: ApplicationDocumentation;
  readonly rowLevelSecurity: RowLevelSecurity | undefined;
  readonly observation: Observation;
  /** Undefined where clients are promised nothing. */
  readonly readYourWrites: ReadYourWrites | undefined;
  readonly sweep: IdempotencySweep;
}

function compiled(leaf: RouteLeaf, controller: Type, setting: Setting): CompiledEndpoint {
  const { options, cursors, storage, providers, documentation, rowLevelSecurity, observation } = setting;
  const { sweep } = setting;
  const { endpoint, groups, pattern, owner } = leaf;
  // Nothing that a client says makes a check of the service's health anything but its own answer.
  const readYourWrites = endpoint.isVital ? undefined : setting.readYourWrites;
  refuseMissing(owner, endpoint);
  const layers = [options, ...groups.map((group) => group.options), endpoint.options];
  const inherited = settingsOf(layers);
  const internalCasing = casingOf(leaf, inherited, storage);
  const settings = { ...inherited, ...(endpoint.isPublic ? everybody : {}), internalCasing };
  const nobody = (): Session => sessionOn(setting);
  const access = new EndpointAccess(owner, settings, providers, rowLevelSecurity, nobody, readYourWrites);
  const { records } = access;
  const compilation = new Compilation(
    owner,
    pattern,
    settings,
    options,
    cursors,
    storage,
    providers,
    records,
    documentation,
    groups,
  );
  const style = new AnswerStyle(settings);
  const inner = endpoint.compile(compilation);
  const { columnUses, requestHeaders, way, entity } = compilation;
  const facts = { kind: endpoint.kind, path: pattern.toString(), modelName: entity?.className };
  const database = storage?.database;
  if (database !== undefined && compilation.keepsAnswers) sweep.add(database, () => sessionOn(setting));
  const { effect } = endpoint;
  const needs = { observation, facts, effect, readYourWrites, rowLevelSecurity, isConditional: false };
  const handler = staged(inner, needs);
  const conditionalHandler = compilation.isConditional
    ? staged(inner, { ...needs, isConditional: true })
    : handler;
  const open = storage === undefined ? nobody : openingOn(storage, { access, entity, effect }, setting);
  if (readYourWrites !== undefined) requestHeaders.add(consistencyHeader);
  const { timeout } = settings;
  const describe = (): OperationDescription | undefined => described(endpoint, compilation, readYourWrites);
  return {
    leaf,
    controller,
    style,
    handler,
    conditionalHandler,
    describe,
    way,
    columnUses,
    requestHeaders,
    access: access.isOpen && !observation.isOn ? undefined : observation.access(access, facts),
    timeout,
    open,
    facts,
    database,
  };
}

function described(
  endpoint: Endpoint,
  compilation: Compilation,
  readYourWrites: ReadYourWrites | undefined,
): OperationDescription | undefined {
  if (compilation.settings.hidden) return undefined;
  const description = endpoint.describe(compilation);
  return description && (readYourWrites?.describe(description, endpoint.effect) ?? description);
}

function casingOf(
  { owner, endpoint: { options } }: RouteLeaf,
  { givenCasing }: InheritedSettings,
  storage: Storage | undefined,
): Casing {
  if (givenCasing !== undefined || storage === undefined) return givenCasing ?? 'snake_case';
  const { modelClass } = options as { readonly modelClass?: EntityName };
  return storage.models.casingOf(modelClass, owner, namesIn(options));
}

/** The names of columns that options say. */
function namesIn(options: object): readonly string[] {
  return Object.entries(options).flatMap(([option, value]): string[] => {
    if (option === 'columnOverrides') return Object.keys(value as object);
    return /ColumnNames?$/.test(option) ? ([value ?? []].flat() as string[]) : [];
  });
}

function refuseMissing(owner: string, { requiredOptions, options }: Endpoint): void {
  const missing = requiredOptions.find((name) => Reflect.get(options, name) === undefined);
  if (missing !== undefined) throw new ConfigurationError(owner, missing, 'is required');
}

function openingOn(
  storage: Storage,
  endpoint: Pick<OpeningNeeds, 'access' | 'entity' | 'effect'>,
  { pool, rowLevelSecurity, readYourWrites }: Setting,
): SessionOpening {
  return sessionOpening({ ...endpoint, storage, pool, rowLevelSecurity, readYourWrites });
}

/** A session of nobody. */
function sessionOn({ pool, storage }: Setting): Session {
  if (storage === undefined) throw new Error('There is no MikroORM in this application to ask');
  return new Session(storage.database, pool);
}

function rowLevelSecurityOf(
  { rowLevelSecurity }: RootOptions,
  storage: Storage | undefined,
): RowLevelSecurity | undefined {
  if (rowLevelSecurity === undefined || storage === undefined) return undefined;
  return new RowLevelSecurity(rowLevelSecurity, storage.database);
}
