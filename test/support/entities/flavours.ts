import type { EntityName } from '@mikro-orm/core';
import type { OrmOptions } from '../database.js';
import * as entitySchema from './entity-schema.js';
import * as standardDecorators from './es-decorators/library.js';
import * as legacyDecorators from './legacy-decorators.js';
import * as defined from './library.js';

/** The library, its entities without their types: column names of these are any text. */
interface Flavour {
  readonly Country: EntityName;
  readonly Author: EntityName;
  readonly Book: EntityName;
  /** Options of MikroORM that this way of writing needs. */
  readonly orm?: OrmOptions;
}

/** The same model in every way that MikroORM lets one write it. */
export const flavours: Readonly<Record<string, Flavour>> = {
  defineEntity: defined,
  'legacy decorators': {
    Country: legacyDecorators.Country,
    Author: legacyDecorators.Author,
    Book: legacyDecorators.Book,
    orm: legacyDecorators.orm,
  },
  'standard decorators': {
    Country: standardDecorators.Country,
    Author: standardDecorators.Author,
    Book: standardDecorators.Book,
  },
  EntitySchema: entitySchema,
};
