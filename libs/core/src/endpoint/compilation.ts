import type { EntityMetadata, EntityName } from '@mikro-orm/core';
import type { AuthorizedRecords } from '../access/authorized.records.js';
import type { ColumnOverrides } from '../model/column.definition.js';
import type { Model } from '../model/model.js';
import type { CursorCodec } from '../query/cursor.codec.js';
import { KeysetPaging } from '../query/keyset.paging.js';
import { OffsetPaging } from '../query/offset.paging.js';
import type { Paging, PagingOptions } from '../query/paging.js';
import type { Database } from '../database/database.js';
import type { NativePool } from '../database/pool/native.pool.js';
import type { Backend } from '../records/backends/backend.js';
import type { ColumnUse } from '../records/index.advice.js';
import { BackendStore } from '../records/backends/backend.store.js';
import type { RecordStore } from '../records/record.store.js';
import { SqlStore } from '../records/sql.store.js';
import type { OwnColumn } from '../request/input.rules.js';
import { RecordFilter, type FilterSource } from '../visibility/record.filter.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import { NameTable } from '../wire/name.table.js';
import type { Announcements } from './announcements.js';
import type { ApiDocumentation } from './description/api.documentation.js';
import type { RoutePattern } from './route.pattern.js';
import type { EndpointOptions } from './options/endpoint.options.js';
import type { InheritedSettings, RootOptions, Settings } from './options/settings.js';
import type { InjectMap, Injection, Providers } from './request/injection.js';
import { poolFor, type Storage } from './storage.js';

/** The options that say which model an endpoint works on. */
interface ModelSource {
  readonly modelClass: EntityName;
  readonly columnOverrides?: ColumnOverrides | undefined;
}

/** The objects that an endpoint needs while it is compiled. */
export class Compilation {
  readonly names: NameTable;
  /** The columns that clients may sort and search by, for advice about indexes. */
  readonly columnUses: ColumnUse[] = [];
  /** Request headers that the endpoint reads, so that browsers may send them. */
  readonly requestHeaders = new Set<string>();
  readonly #stores = new Map<Model, RecordStore>();
  #own: Model | undefined;
  #reason: string | undefined;
  #keepsAnswers = false;
  #isConditional = false;

  constructor(
    /** The name of the endpoint in error messages. */
    readonly owner: string,
    /** The whole path, those of the groups included. */
    readonly pattern: RoutePattern,
    readonly settings: Settings & Pick<InheritedSettings, 'givenCasing'>,
    /** The options of the application: what holds for endpoints that set nothing. */
    readonly root: RootOptions,
    private readonly cursors: CursorCodec,
    private readonly storage: Storage | undefined,
    readonly providers: Providers,
    private readonly records: AuthorizedRecords,
    /** The material of documents about the application. */
    readonly documentation: ApiDocumentation,
    /** The groups around the endpoint, from the outermost in. */
    readonly groups: readonly object[],
  ) {
    const reason = this.reasonOfAccess;
    if (reason !== undefined) this.needsMikroOrm(reason);
    this.names = new NameTable(settings.internalCasing, settings.externalCasing);
  }

  /** @throws ConfigurationError when the application has no MikroORM */
  get database(): Database {
    return this.#storage.database;
  }

  /** Says that the endpoint cannot go past MikroORM, and why. */
  needsMikroOrm(reason: string): void {
    this.#reason ??= reason;
  }

  /** Says that the endpoint reads a header of requests. */
  readsHeader(name: string): void {
    this.requestHeaders.add(name);
  }

  /** Says that a client may have the endpoint's answer already, and say so with `If-None-Match`. */
  answersConditionally(): void {
    this.readsHeader('If-None-Match');
    this.#isConditional = true;
  }

  get isConditional(): boolean {
    return this.#isConditional;
  }

  /** Says that the endpoint keeps answers, which somebody has to sweep. */
  willKeepAnswers(): void {
    this.#keepsAnswers = true;
  }

  get keepsAnswers(): boolean {
    return this.#keepsAnswers;
  }

  /** The way to the endpoint's records, in words for the log; undefined when it has none. */
  get way(): string | undefined {
    if (this.#stores.size === 0) return undefined;
    return this.#reason === undefined ? 'statements of its own' : `MikroORM's way, because ${this.#reason}`;
  }

  /** The entity of the endpoint's model; undefined when it has none. */
  get entity(): EntityMetadata | undefined {
    return this.#own?.meta;
  }

  /** The events by which the application hears of the endpoint's writes. */
  get announcements(): Announcements {
    return this.providers.announcements;
  }

  /** Providers of Nest for functions of an option: their tokens by the names they get there. */
  injection(option: string, inject: InjectMap, taken?: readonly string[]): Injection {
    return this.providers.injection(this.owner, option, inject, taken);
  }

  /** Runs a check that needs providers, when all of them exist; an error of it stops the start. */
  whenReady(check: () => void | Promise<void>): void {
    this.providers.whenReady(check);
  }

  /** The endpoint's model, its `columnOverrides` applied. @throws ConfigurationError for an entity it cannot serve */
  model({ modelClass, columnOverrides = {} }: ModelSource): Model {
    const { internalCasing, givenCasing } = this.settings;
    if (givenCasing === undefined) this.#refuseOtherCasing(modelClass);
    const model = this.#storage.models.modelOf(modelClass, this.owner, internalCasing, columnOverrides);
    this.#refuseUnknowing(model);
    if (this.#own === undefined) this.#refuseMisfit(model);
    // A scope that does not fit stops the start.
    if (this.#own === undefined) this.records.stickyScopes(model.meta);
    this.#own ??= model;
    return model;
  }

  /** The reason why writes of the endpoint cannot go past MikroORM, as far as its access rules tell. */
  get reasonOfAccess(): string | undefined {
    return this.root.rowLevelSecurity === undefined ? undefined : 'row level security holds in transactions';
  }

  /** The columns in which records of a model have the request's own values, as rules say. */
  ownColumns(model: Model): readonly OwnColumn[] {
    return this.records.stickyScopes(model.meta).flatMap((scope) =>
      scope.columns.map(({ property }) => {
        const column = [...model.columns.values()].find((one) => one.property === property);
        if (column === undefined)
          throw new ConfigurationError(
            this.owner,
            'authorization',
            `'${property.name}' is no column of ${model.meta.className}`,
          );
        return { column, value: (request) => scope.ownValue(property, request) };
      }),
    );
  }

  /** Gives the store of the model's records; the same one at each call. */
  store(model: Model): RecordStore {
    const store = this.#stores.get(model) ?? this.#storeOf(model);
    this.#stores.set(model, store);
    return store;
  }

  /** True if a request may be kept from seeing existing records of a model. */
  hides({ meta }: Model): boolean {
    if (this.root.rowLevelSecurity !== undefined) return true;
    return this.database.filtered.isDeclared(meta) || this.records.narrows(meta, this.#own?.meta);
  }

  /** Compiles the endpoint's `where` and `joins`. @throws ConfigurationError for what cannot be parsed or is unknown */
  filter(model: Model, source: FilterSource): RecordFilter {
    const { database, models } = this.#storage;
    const { internalCasing } = this.settings;
    const modelOf = (tableName: string): Model | undefined => models.modelOfTable(tableName, internalCasing);
    const filter = new RecordFilter(this.owner, database, model, modelOf, source);
    if (filter.asksRequests) this.needsMikroOrm('`where` or `joins` have callables');
    if (filter.needsSql && this.#backendOf(model) !== undefined)
      throw new ConfigurationError(
        this.owner,
        'where',
        'only strings about columns can be used with a backend of your own',
      );
    for (const { path, comparison } of filter.conditions)
      if (this.#backendOf(model)?.canFilter(path.text, comparison) === false)
        throw new ConfigurationError(
          this.owner,
          'where',
          `the backend cannot filter '${path.text}' with '${comparison}'`,
        );
    return filter;
  }

  /** Makes the paging of the endpoint's lists. @throws ConfigurationError for options that are out of range */
  paging(model: Model, options: PagingOptions & Pick<EndpointOptions, 'requestMethods'>): Paging {
    const { pagination = 'offset', requestMethods = [] } = options;
    const identity = [this.owner, model.meta.className, ...requestMethods].join(' ');
    const strategies = {
      offset: () => new OffsetPaging(this.owner, options),
      keyset: () => new KeysetPaging(this.owner, identity, options, this.cursors),
    } satisfies Record<typeof pagination, () => Paging>;
    if (Object.hasOwn(strategies, pagination)) return strategies[pagination]();
    throw new ConfigurationError(
      this.owner,
      'pagination',
      `'${pagination}' is unknown; ${oneOf(Object.keys(strategies))}`,
    );
  }

  #storeOf(model: Model): RecordStore {
    const storeOf = (other: Model): RecordStore => this.store(other);
    const backend = this.#backendOf(model);
    if (backend === undefined) return new SqlStore(this.database, model, storeOf, this.#pool);
    return new BackendStore(this.owner, backend, this.names, model, storeOf);
  }

  get #pool(): NativePool | undefined {
    return poolFor(this.database, this.root);
  }

  /** A kind of the user's may work on another entity than its `modelClass`, whose names were read already. */
  #refuseOtherCasing(modelClass: EntityName): void {
    const { internalCasing } = this.settings;
    const { models } = this.#storage;
    // Names of one word are in any casing: then the endpoint's own is as good.
    const casing = models.casingOf(modelClass, this.owner, [internalCasing]);
    if (casing === internalCasing) return;
    const problem = `the properties of ${models.nameOf(modelClass)} are in ${casing}: say so with internalCasing`;
    throw new ConfigurationError(this.owner, 'internalCasing', problem);
  }

  /** A rule that cannot say which records it is about would fail with every request. */
  #refuseMisfit({ meta }: Model): void {
    const { authorizations, partition } = this.settings;
    for (const rule of partition === undefined ? authorizations : [partition, ...authorizations]) {
      const problem = rule.misfit?.(meta);
      if (problem !== undefined) throw new ConfigurationError(this.owner, 'authorization', problem);
    }
  }

  /** A rule that nobody asks would show everything. */
  #refuseUnknowing(model: Model): void {
    if (this.records.isOpen || this.#backendOf(model) === undefined) return;
    const problem = 'filterModel narrows queries of MikroORM, which a backend of your own does not send';
    throw new ConfigurationError(this.owner, 'authorization', problem);
  }

  #backendOf({ meta }: Model): Backend | undefined {
    const { models } = this.#storage;
    return this.root.backends?.find(({ modelClass }) => models.classOf(modelClass) === meta.class)?.backend;
  }

  get #storage(): Storage {
    if (this.storage !== undefined) return this.storage;
    throw new ConfigurationError(
      this.owner,
      'modelClass',
      'import MikroOrmModule.forRoot(...) beside EndpointsModule',
    );
  }
}
