import type { EntityName } from '@mikro-orm/core';
import type { ColumnOverrides } from '../model/column.definition.js';
import type { Model } from '../model/model.js';
import { selectionOf } from '../query/selection.js';
import type { PagingOptions } from '../query/paging.js';
import type { Database } from '../records/database.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NameTable } from '../wire/name.table.js';
import { recordOutput, type OutputMap, type RecordOutput } from './record.output.js';
import type { RouteLeaf } from './route.tree.js';
import type { Settings } from './settings.js';
import type { Storage } from './storage.js';

/** The options that say which model an endpoint works on. */
interface ModelSource {
  readonly modelClass: EntityName;
  readonly columnOverrides?: ColumnOverrides | undefined;
}

/** The options that say how an endpoint answers with records. */
interface OutputSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: OutputMap | undefined;
}

/** What an endpoint has at hand while it is compiled. */
export class Compilation {
  readonly names: NameTable;

  constructor(
    readonly leaf: RouteLeaf,
    readonly settings: Settings,
    /** Page sizes for endpoints that set none. */
    readonly paging: PagingOptions,
    private readonly storage: Storage | undefined,
  ) {
    this.names = new NameTable(settings.internalCasing, settings.externalCasing);
  }

  get owner(): string {
    return this.leaf.endpoint.owner;
  }

  /** @throws ConfigurationError when the application has no MikroORM */
  get database(): Database {
    return this.#storage.database;
  }

  model({ modelClass, columnOverrides = {} }: ModelSource): Model {
    const { internalCasing } = this.settings;
    return this.#storage.models.modelOf(modelClass, this.owner, internalCasing, columnOverrides);
  }

  output(model: Model, { readableColumnNames, outputMap }: OutputSource): RecordOutput {
    const selection = selectionOf(this.owner, model, readableColumnNames);
    return recordOutput(this.database, model, selection, this.names, outputMap);
  }

  get #storage(): Storage {
    if (this.storage !== undefined) return this.storage;
    throw new ConfigurationError(this.owner, 'modelClass', 'import MikroOrmModule.forRoot(...) beside EndpointsModule');
  }
}
