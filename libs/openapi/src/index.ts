export { Schema, type SchemaOptions } from './schema.js';
export { DocsPage, type DocsPageOptions } from './docs-page/docs.page.js';
export { openApiDocument, securitySchemesOf } from './open.api.document.js';
export type { OpenApiObject } from '@nest-endpoints/core/internal';
export type { DocumentSourceOptions } from './document.source.js';
export type { DocumentOptions, OpenApiDocument } from './open.api.builder.js';
export type { OAuthFlowObject, OAuthFlowsObject, SecuritySchemeObject } from './security.scheme.object.js';
export type { SchemaFormat } from './schema.format.js';
