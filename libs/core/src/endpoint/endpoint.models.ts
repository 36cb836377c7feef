import type { EntityMetadata, EntityName, EntityProperty } from '@mikro-orm/core';
import type { AuthorizedRecords } from '../access/authorized.records.js';
import type { Database } from '../database/database.js';
import type { ColumnOverrides } from '../model/column.definition.js';
import type { ColumnType } from '../model/column.type.js';
import type { Model, Relation } from '../model/model.js';
import { softEntityOf } from '../model/soft/soft.entity.js';
import type { Backend } from '../records/backends/backend.js';
import { BackendStore } from '../records/backends/backend.store.js';
import type { OwnColumn } from '../request/judged.columns.js';
import type { RecordStore } from '../records/record.store.js';
import { SqlStore } from '../records/sql.store.js';
import { tellingUniques, type TellingUnique } from '../access/telling.uniques.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import { recordRules, type InheritedSettings, type RootOptions, type Settings } from './options/settings.js';
import { refuseWrongNames } from './versions/external.names.js';
import { poolFor, type Storage } from './storage.js';

/** The options that say which model an endpoint works on. */
export interface ModelSource {
  readonly modelClass: EntityName;
  readonly columnOverrides?: ColumnOverrides | undefined;
}

/** The parts that the models of an endpoint are made with. */
export interface ModelParts {
  /** The name of the endpoint in error messages. */
  readonly owner: string;
  readonly settings: Settings & Pick<InheritedSettings, 'givenCasing'>;
  readonly root: RootOptions;
  /** The endpoint's own. */
  readonly options: object;
  /** Undefined in an application without MikroORM. */
  readonly storage: Storage | undefined;
  /** The records that its authorizations let requests see. */
  readonly records: AuthorizedRecords;
  readonly names: NameTable;
}

/** The models that an endpoint works on, and the stores of their records: each is made when a kind asks for it. */
export class EndpointModels {
  readonly #stores = new Map<Model, RecordStore>();
  #own: Model | undefined;

  constructor(private readonly parts: ModelParts) {}

  /** The entity of the model that was asked for first: access rules hold for its records. Undefined when there is none. */
  get entity(): EntityMetadata | undefined {
    return this.#own?.meta;
  }

  /** The model that was asked for first; undefined when there is none. */
  get own(): Model | undefined {
    return this.#own;
  }

  /** True if the endpoint has to do with records. */
  get hasStores(): boolean {
    return this.#stores.size > 0;
  }

  /** @throws ConfigurationError when the application has no MikroORM */
  get storage(): Storage {
    const { storage, owner } = this.parts;
    if (storage !== undefined) return storage;
    throw new ConfigurationError(
      owner,
      'modelClass',
      'import MikroOrmModule.forRoot(...) beside EndpointsModule',
    );
  }

  get #database(): Database {
    return this.storage.database;
  }

  /** A model with `columnOverrides` applied. @throws ConfigurationError for an entity it cannot serve */
  model({ modelClass, columnOverrides = {} }: ModelSource): Model {
    const { owner, settings } = this.parts;
    const { internalCasing, givenCasing } = settings;
    if (givenCasing === undefined) this.#refuseOtherCasing(modelClass);
    const naming = { casing: internalCasing, partition: this.parts.root.partition?.column };
    const model = this.storage.models.modelOf(modelClass, owner, naming, columnOverrides);
    this.#refuseUnknowing(model);
    if (this.#own === undefined) {
      this.#refuseMisfit(model);
      refuseWrongNames(owner, model, this.parts.names, this.parts.options);
    }
    // A scope that does not fit stops the start.
    if (this.#own === undefined) this.parts.records.stickyScopes(model.meta);
    this.#own ??= model;
    return model;
  }

  /** The columns in which records of a model have the request's own values. @throws ConfigurationError where there is none */
  ownColumns({ meta, columns }: Model): readonly OwnColumn[] {
    const { owner, records } = this.parts;
    return records.stickyScopes(meta).flatMap((scope) =>
      scope.columns.map(({ property }) => {
        const column = [...columns.values()].find((one) => one.property === property);
        if (column !== undefined) return { column, value: (request) => scope.ownValue(property, request) };
        const problem = `'${property.name}' is no column of ${meta.className}`;
        throw new ConfigurationError(owner, 'authorization', problem);
      }),
    );
  }

  /** The model of a table; undefined where no entity has it. */
  modelOfTable(tableName: string): Model | undefined {
    const { root, settings } = this.parts;
    const naming = { casing: settings.internalCasing, partition: root.partition?.column };
    return this.storage.models.modelOfTable(tableName, naming);
  }

  /** The unique columns and indexes of the endpoint's own entity that tell of records which a request never sees. */
  get tellingUniques(): readonly TellingUnique[] {
    const { entity } = this;
    if (entity === undefined) return [];
    const { records } = this.parts;
    const columnsOf = (meta: EntityMetadata): EntityProperty[] =>
      records.stickyScopes(meta).flatMap(({ columns }) => columns.map(({ property }) => property));
    return tellingUniques(entity, columnsOf(entity), (meta) => columnsOf(meta).length > 0);
  }

  /** The types of the endpoint's own columns that take their values from a request. */
  get fillers(): readonly ColumnType[] {
    const columns = [...(this.#own?.columns.values() ?? [])];
    return columns.map(({ type }) => type).filter((type) => type.fromRequest !== undefined);
  }

  /** The store of a model's records; the same store whenever it is asked for. */
  store(model: Model): RecordStore {
    const store = this.#stores.get(model) ?? this.#storeOf(model);
    this.#stores.set(model, store);
    return store;
  }

  /** The backend of the user's own in which a model's records are; undefined for those in MikroORM's database. */
  backendOf({ meta }: Model): Backend | undefined {
    const { models } = this.storage;
    const { backends } = this.parts.root;
    return backends?.find(({ modelClass }) => models.classOf(modelClass) === meta.class)?.backend;
  }

  /** True if the endpoint's records are in a backend of the user's own. */
  get isBacked(): boolean {
    return this.#own !== undefined && this.backendOf(this.#own) !== undefined;
  }

  /** True if a request may be kept from seeing records of a model that are there. */
  hides({ meta }: Model): boolean {
    const { root, records } = this.parts;
    if (root.rowLevelSecurity !== undefined) return true;
    return this.#database.filtered.isDeclared(meta) || records.narrows(meta, this.entity);
  }

  /**
   * The reason why the members of a relation cannot be written as a list. MikroORM would write the rows between the two sides as
   * if nobody hid any of them: it would delete those, and make new ones without what rules are about.
   */
  reasonAgainstList({ between, property }: Relation): string | undefined {
    if (between === undefined) return undefined;
    const { className } = between;
    const remedy = `so they need endpoints of their own`;
    if (softEntityOf(between) !== undefined) return `${className} records are deleted by a mark, ${remedy}`;
    const fields = [...property.joinColumns, ...property.inverseJoinColumns];
    const isHidden = this.parts.records.narrowsBeyond(between, this.entity, fields);
    return isHidden ? `rules hide ${className} records, ${remedy}` : undefined;
  }

  #storeOf(model: Model): RecordStore {
    const { owner, names, root } = this.parts;
    const storeOf = (other: Model): RecordStore => this.store(other);
    const backend = this.backendOf(model);
    if (backend === undefined)
      return new SqlStore(this.#database, model, storeOf, poolFor(this.#database, root));
    return new BackendStore(owner, backend, names, model, storeOf);
  }

  /** A kind of the user's may work on another entity than its `modelClass`, whose names were read already. */
  #refuseOtherCasing(modelClass: EntityName): void {
    const { owner, settings } = this.parts;
    const { internalCasing } = settings;
    const { models } = this.storage;
    // Names of one word are in any casing: then the endpoint's own is as good.
    const casing = models.casingOf(modelClass, owner, [internalCasing]);
    if (casing === internalCasing) return;
    const problem = `the properties of ${models.nameOf(modelClass)} are in ${casing}: say so with internalCasing`;
    throw new ConfigurationError(owner, 'internalCasing', problem);
  }

  /** A rule that cannot say which records it is about would fail with every request. */
  #refuseMisfit({ meta }: Model): void {
    const { owner, settings } = this.parts;
    const all = [...this.#database.orm.getMetadata().getAll().values()];
    for (const rule of recordRules(settings)) {
      const problem = rule.misfit?.(meta, all);
      if (problem !== undefined) throw new ConfigurationError(owner, 'authorization', problem);
    }
  }

  /** A rule that nobody asks would show everything. */
  #refuseUnknowing(model: Model): void {
    const { owner, records } = this.parts;
    if (records.isOpen || this.backendOf(model) === undefined) return;
    const problem = 'filterModel narrows queries of MikroORM, which a backend of your own does not send';
    throw new ConfigurationError(owner, 'authorization', problem);
  }
}
