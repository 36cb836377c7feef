import type { HttpMethod } from '@nest-endpoints/core';
import type { OpenApiObject } from '@nest-endpoints/core/internal';
import { inDialectOf30, inDialectOf31 } from './schema.dialects.js';

interface Format {
  readonly version: string;
  /** Makes a part of a document of this version, from what core keeps. */
  readonly dialect: (node: OpenApiObject) => OpenApiObject;
  /** Methods that the version has no word for. */
  readonly unknownMethods: readonly HttpMethod[];
}

/** The formats of generated documents (decisions: Schema). */
export const schemaFormats = {
  'openapi3.0': { version: '3.0.4', dialect: inDialectOf30, unknownMethods: ['QUERY'] },
  'openapi3.1': { version: '3.1.1', dialect: inDialectOf31, unknownMethods: ['QUERY'] },
  'openapi3.2': { version: '3.2.0', dialect: inDialectOf31, unknownMethods: [] },
} as const satisfies Record<string, Format>;

/** The format of a generated document. */
export type SchemaFormat = keyof typeof schemaFormats;
