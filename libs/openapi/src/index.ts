export { Schema, type SchemaOptions } from './schema.js';
export { openApiDocument, securitySchemesOf } from './open.api.document.js';
export type { DocumentOptions, OpenApiDocument } from './open.api.builder.js';
export type { SchemaFormat } from './schema.format.js';
