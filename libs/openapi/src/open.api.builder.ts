import type {
  ApiDocumentation,
  DocumentedOperation,
  DocumentedRoute,
  DocumentedTag,
  OpenApiObject,
} from '@nest-endpoints/core/internal';
import { merged } from './merged.configuration.js';
import { schemaFormats, type SchemaFormat } from './schema.format.js';
import { changed } from './schema.walk.js';

/** The form of a document. */
export interface DocumentOptions {
  /** The version of OpenAPI: `openapi3.0`, `openapi3.1` (default) or `openapi3.2`. */
  readonly schemaFormat?: SchemaFormat;
  /** Merged into the root of the document at any depth, lists replaced: `info`, `servers`, and what else there is. */
  readonly schemaConfiguration?: OpenApiObject;
}

/** A document of OpenAPI. */
export interface OpenApiDocument extends OpenApiObject {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, OpenApiObject>>;
  readonly components: OpenApiObject;
}

/**
 * The document of some endpoints.
 * @param groups the groups whose endpoints it shows, from the outermost in; none shows the whole application
 */
export function buildDocument(
  documentation: ApiDocumentation,
  { schemaFormat = 'openapi3.1', schemaConfiguration = {} }: DocumentOptions,
  groups: readonly object[] = [],
): OpenApiDocument {
  const { version, dialect, unknownMethods } = schemaFormats[schemaFormat];
  const unknown: readonly string[] = unknownMethods;
  const routes = documentation.routes.filter(
    (route) => isBelow(route, groups) && !unknown.includes(route.method),
  );
  const names = schemeNames(documentation, routes);
  const operations = routes.map(({ operation }) => withSchemes(operation, names));
  const document = {
    openapi: version,
    info: { title: 'API', version: '1.0.0' },
    servers: [{ url: '/' }],
    tags: tagsOf(documentation, routes),
    paths: pathsOf(routes, operations),
    ...webhooksOf(documentation, schemaFormat, groups),
    components: componentsOf(documentation, operations, names),
  };
  return merged(changed(document, dialect) as OpenApiObject, schemaConfiguration) as OpenApiDocument;
}

/** The messages to receivers, which are of the whole application; OpenAPI 3.0 has no word for them. */
function webhooksOf(
  { webhooks }: ApiDocumentation,
  format: SchemaFormat,
  groups: readonly object[],
): OpenApiObject {
  return webhooks === undefined || groups.length > 0 || format === 'openapi3.0' ? {} : { webhooks };
}

function isBelow({ groups }: DocumentedRoute, around: readonly object[]): boolean {
  return around.every((group, index) => groups[index] === group);
}

function pathsOf(
  routes: readonly DocumentedRoute[],
  operations: readonly DocumentedOperation[],
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [index, { path, method }] of routes.entries())
    (paths[path] ??= {})[method.toLowerCase()] = operations[index];
  return paths;
}

/**
 * Gives the names of security schemes in one document, by those in the whole application. Two authentications of one name
 * are told apart by a number. Where only one of them is in the document, it has no number.
 */
function schemeNames(
  documentation: ApiDocumentation,
  routes: readonly DocumentedRoute[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of routes.flatMap(({ operation }) => requiredBy(operation))) {
    if (names.has(name)) continue;
    const wanted = documentation.securityNames.get(name) ?? name;
    let free = wanted;
    for (let count = 2; taken.has(free); count += 1) free = `${wanted}${count}`;
    taken.add(free);
    names.set(name, free);
  }
  return names;
}

function requiredBy({ security }: DocumentedOperation): readonly string[] {
  return security.flatMap((one) => Object.keys(one));
}

function withSchemes(
  operation: DocumentedOperation,
  names: ReadonlyMap<string, string>,
): DocumentedOperation {
  if (requiredBy(operation).every((name) => names.get(name) === name)) return operation;
  const security = operation.security.map((one) =>
    Object.fromEntries(Object.entries(one).map(([name, scopes]) => [names.get(name) ?? name, scopes])),
  );
  return { ...operation, security };
}

/** The tags in the order of their first operations, with what was said of them, else where their operations are. */
function tagsOf({ tags }: ApiDocumentation, routes: readonly DocumentedRoute[]): OpenApiObject[] {
  const pathsOfTags = new Map<string, string[]>();
  for (const { path, operation } of routes)
    for (const tag of operation.tags) pathsOfTags.set(tag, [...(pathsOfTags.get(tag) ?? []), path]);
  return [...pathsOfTags].map(([name, paths]) => {
    const { description, isEntity }: Partial<DocumentedTag> = tags.get(name) ?? {};
    return {
      name,
      description: description ?? `${isEntity === true ? `${name} records, at` : 'At'} ${placesOf(paths)}.`,
    };
  });
}

/** The most paths that the description of a tag names. */
const mostPaths = 4;

function placesOf(paths: readonly string[]): string {
  const places = outermost(paths).map((path) => `\`${path}\``);
  if (places.length <= mostPaths) return places.join(', ');
  const named = places.slice(0, mostPaths - 1);
  return `${named.join(', ')} and ${places.length - named.length} other paths`;
}

/** The paths that are not below another one. */
function outermost(paths: readonly string[]): string[] {
  const isBelow = (path: string): boolean => paths.some((other) => path.startsWith(`${other}/`));
  return [...new Set(paths)].filter((path) => !isBelow(path));
}

/** Only what the operations refer to, directly or not. */
function componentsOf(
  documentation: ApiDocumentation,
  operations: readonly DocumentedOperation[],
  schemeNames: ReadonlyMap<string, string>,
): OpenApiObject {
  const names = documentation.schemasIn(operations);
  const schemas = [...documentation.schemas].filter(([name]) => names.has(name));
  const schemes = [...documentation.securitySchemes].flatMap(([name, scheme]) => {
    const shown = schemeNames.get(name);
    return shown === undefined ? [] : [[shown, scheme] as const];
  });
  return {
    ...(schemas.length === 0 ? {} : { schemas: Object.fromEntries(schemas) }),
    ...(schemes.length === 0 ? {} : { securitySchemes: Object.fromEntries(schemes) }),
  };
}
