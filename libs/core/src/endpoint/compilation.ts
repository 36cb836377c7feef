import type { EntityName } from '@mikro-orm/core';
import type { ColumnOverrides } from '../model/column.definition.js';
import type { Model } from '../model/model.js';
import type { PagingOptions } from '../query/paging.js';
import type { Database } from '../records/database.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NameTable } from '../wire/name.table.js';
import type { RoutePattern } from './route.pattern.js';
import type { Settings } from './settings.js';
import type { Storage } from './storage.js';

/** The options that say which model an endpoint works on. */
interface ModelSource {
  readonly modelClass: EntityName;
  readonly columnOverrides?: ColumnOverrides | undefined;
}

/** What an endpoint has at hand while it is compiled. */
export class Compilation {
  readonly names: NameTable;

  constructor(
    /** How error messages call the endpoint. */
    readonly owner: string,
    /** The whole path, those of the groups included. */
    readonly pattern: RoutePattern,
    readonly settings: Settings,
    /** Page sizes for endpoints that set none. */
    readonly paging: PagingOptions,
    private readonly storage: Storage | undefined,
  ) {
    this.names = new NameTable(settings.internalCasing, settings.externalCasing);
  }

  /** @throws ConfigurationError when the application has no MikroORM */
  get database(): Database {
    return this.#storage.database;
  }

  /** The endpoint's model, its `columnOverrides` applied. @throws ConfigurationError for an entity it cannot serve */
  model({ modelClass, columnOverrides = {} }: ModelSource): Model {
    const { internalCasing } = this.settings;
    return this.#storage.models.modelOf(modelClass, this.owner, internalCasing, columnOverrides);
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
