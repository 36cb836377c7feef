import { checkOptions } from '@nest-endpoints/core';
import { ApplicationDocumentation, type OpenApiObject } from '@nest-endpoints/core/internal';
import type { INestApplicationContext } from '@nestjs/common';
import { buildDocument, type DocumentOptions, type OpenApiDocument } from './open.api.builder.js';
import { documentChecks } from './document.source.js';
import type { SecuritySchemeObject } from './security.scheme.object.js';

/**
 * Makes the OpenAPI document of all endpoints of an application, without serving it: for a file, a test, a generator.
 * Call it once the application is initialised (`await app.init()`), when prefixes and versions are known.
 *
 * @example
 * await writeFile('openapi.json', JSON.stringify(openApiDocument(app, { schemaFormat: 'openapi3.0' })));
 */
export function openApiDocument(
  app: INestApplicationContext,
  options: DocumentOptions = {},
): OpenApiDocument {
  checkOptions('openApiDocument', options, { checks: documentChecks });
  return buildDocument(documentationOf(app), options);
}

/**
 * Gives the security schemes of the application's authentications, by name. A document of `SwaggerModule` lacks them,
 * because decorators cannot tell them.
 *
 * @example
 * const config = new DocumentBuilder().setTitle('Atlas').build();
 * config.components = { securitySchemes: securitySchemesOf(app) };
 */
export function securitySchemesOf(app: INestApplicationContext): Record<string, SecuritySchemeObject> {
  const { catalogue } = documentationOf(app);
  return Object.fromEntries(catalogue.securitySchemes) as Record<
    string,
    OpenApiObject & SecuritySchemeObject
  >;
}

function documentationOf(app: INestApplicationContext): ApplicationDocumentation {
  return app.get(ApplicationDocumentation, { strict: false });
}
