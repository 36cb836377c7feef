import type { EntityName } from '@mikro-orm/core';
import type { ColumnOverrides } from '../model/column.definition.js';
import type { Model } from '../model/model.js';
import type { CursorCodec } from '../query/cursor.codec.js';
import { KeysetPaging } from '../query/keyset.paging.js';
import { OffsetPaging } from '../query/offset.paging.js';
import type { Paging, PagingOptions } from '../query/paging.js';
import type { SearchLimits } from '../query/search.body.js';
import type { Database } from '../records/database.js';
import type { RecordStore } from '../records/record.store.js';
import { SqlStore } from '../records/sql.store.js';
import { RecordFilter, type FilterSource } from '../records/record.filter.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
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
    /** Pages and limits of lists, for endpoints that set none. */
    readonly lists: PagingOptions & SearchLimits,
    private readonly cursors: CursorCodec,
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

  /** Where the model's records are. */
  store(model: Model): RecordStore {
    return new SqlStore(this.database, model);
  }

  /** What the endpoint's `where` and `joins` say. @throws ConfigurationError for what cannot be parsed or is unknown */
  filter(model: Model, source: FilterSource): RecordFilter {
    const { database, models } = this.#storage;
    const { internalCasing } = this.settings;
    const modelOf = (tableName: string): Model | undefined => models.modelOfTable(tableName, internalCasing);
    return new RecordFilter(this.owner, database, model, modelOf, source);
  }

  /** How the endpoint's lists are paged. @throws ConfigurationError for options that are out of range */
  paging(options: PagingOptions): Paging {
    const { pagination = 'offset' } = options;
    if (pagination === 'offset') return new OffsetPaging(this.owner, options);
    if (pagination === 'keyset') return new KeysetPaging(this.owner, options, this.cursors);
    throw new ConfigurationError(
      this.owner,
      'pagination',
      `'${String(pagination)}' is unknown; ${oneOf(['offset', 'keyset'])}`,
    );
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
