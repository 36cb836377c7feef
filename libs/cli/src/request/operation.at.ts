import type {
  DispatchedRequest,
  MountedEndpoint,
  OpenApiObject,
  ParameterObject,
} from '@nest-endpoints/core/internal';
import type { Application } from '../application/application.js';
import type { CommandLine } from '../command-line/command.line.js';
import { segmentsOf } from './path.words.js';

/** An endpoint that answers a path, and the columns or other members of its body. */
export interface OperationAtPath {
  readonly endpoint: MountedEndpoint;
  readonly columns: ReadonlyMap<string, OpenApiObject>;
  /** The parameters that stand in the query string alone. */
  readonly queried: ReadonlySet<string>;
  /** The parameter that has it keep nothing; undefined for others, which would do what they are asked. */
  readonly dryRun: string | undefined;
}

/** The endpoint that answers a method at a path; undefined where none does. */
export function operationAt(
  application: Application,
  method: string,
  segments: readonly string[],
): OperationAtPath | undefined {
  const endpoint = endpointsAt(application, segments).find((one) => one.method === method);
  if (endpoint === undefined) return undefined;
  const queried = queriedOf(application, endpoint).map(({ name }) => name);
  return {
    endpoint,
    columns: columnsOf(application, endpoint),
    queried: new Set(queried),
    // One that documents leave out has no parameters to be read from, and reads this name in every casing.
    dryRun:
      endpoint.kind === 'Import'
        ? (queried.find((name) => /^dry_?run$/i.test(name)) ?? 'dry_run')
        : undefined,
  };
}

/** Methods that ask for no change (RFC 9110, 9.2.1; QUERY: RFC 10008, 2.1). */
const safe: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'QUERY'];

/** True if a request changes nothing: by its method, or by the endpoint that answers it. One that documents leave out may write. */
export function onlyReads(
  { method }: Pick<DispatchedRequest, 'method'>,
  { words }: Pick<CommandLine, 'words'>,
  application: Application,
): boolean {
  if (safe.includes(method)) return true;
  const segments = segmentsOf(words);
  if (operationAt(application, method, segments)?.endpoint.operation === undefined) return false;
  const route = application.routes.find(
    (one) => one.method === method && matches(partsOf(one.path), segments),
  );
  return route?.endpoint.effect === 'reads';
}

/** Finds the parameters of the query string that are no members of the body. */
export function queriedOf(application: Application, endpoint: MountedEndpoint): readonly ParameterObject[] {
  const columns = columnsOf(application, endpoint);
  const parameters = endpoint.operation?.parameters ?? [];
  return parameters.filter(
    (one) => one.in === 'query' && one.schema['type'] !== 'object' && !columns.has(one.name),
  );
}

/** The endpoints that answer some method at a path. */
export function endpointsAt(
  { endpoints }: Application,
  segments: readonly string[],
): readonly MountedEndpoint[] {
  return endpoints.filter(({ path }) => matches(partsOf(path), segments));
}

/** Finds the members of the body of an endpoint's request, by name. */
export function columnsOf(
  { schemas }: Application,
  { operation }: MountedEndpoint,
): ReadonlyMap<string, OpenApiObject> {
  const { content } = Object(operation?.requestBody) as { readonly content?: unknown };
  const { schema } = Object(Object.values(Object(content) as object)[0]) as { readonly schema?: unknown };
  return schemas.propertiesOf(schema);
}

/** The segments of a path as OpenAPI writes it. */
export function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

function matches(parts: readonly string[], segments: readonly string[]): boolean {
  return (
    parts.length === segments.length &&
    parts.every((part, index) => isParameter(part) || part === segments[index])
  );
}

/** True if a segment of a path stands for any value. */
export function isParameter(part: string): boolean {
  return part.startsWith('{') && part.endsWith('}');
}
