import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { CommandLine } from '../command-line/command.line.js';
import { FlowingBody } from '../command-line/flowing.body.js';
import type { JsonText } from '../command-line/json.text.js';
import { UsageError } from '../command-line/usage.error.js';
import type { DispatchedRequest } from '@nest-endpoints/core/internal';
import type { Application } from '../application/application.js';
import { operationAt } from './operation.at.js';
import { pathOf, segmentsOf } from './path.words.js';

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'] as const;

/** Methods whose parameters stand in the query string. */
const queried: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** @throws UsageError */
export function methodOf({ requestMethod }: CommandLine, body: JsonText | FlowingBody | undefined): string {
  if (requestMethod === undefined) return body === undefined ? 'GET' : 'POST';
  const method = requestMethod.toUpperCase();
  if (methods.some((known) => known === method)) return method;
  throw new UsageError(`-X '${requestMethod}' is unknown; it must be one of: ${methods.join(', ')}.`);
}

/** @throws UsageError */
export function requestOf(
  line: CommandLine,
  given: JsonText | FlowingBody | undefined,
  application: Application,
  environment: NodeJS.ProcessEnv,
): DispatchedRequest {
  const segments = segmentsOf(line.words);
  const method = methodOf(line, given);
  const operation = queried.includes(method) ? undefined : operationAt(application, method, segments);
  const isQueried = ([name]: CommandLine['parameters'][number]): boolean =>
    queried.includes(method) || operation?.queried.has(name) === true;
  const dryRun = line.dryRun ? operation?.dryRun : undefined;
  if (line.dryRun && dryRun === undefined)
    throw new UsageError(`--dry-run is for an Import, and ${method} ${pathOf(segments)} is none.`);
  const flag = dryRun === undefined ? [] : [[dryRun, 'true'] as const];
  const query = [...line.parameters.filter(isQueried), ...flag];
  const members = line.parameters.filter((parameter) => !isQueried(parameter));
  const body = bodyOf(members, given, application, operation?.columns);
  return {
    method,
    path: pathOf(segments),
    query,
    headers: headersOf(
      line,
      environment,
      body === undefined && !(given instanceof FlowingBody) ? undefined : typeOf(given),
    ),
    body,
  };
}

/** The content type of a body, where no header says another. */
function typeOf(given: JsonText | FlowingBody | undefined): string {
  return given instanceof FlowingBody ? given.contentType : 'application/json';
}

function bodyOf(
  parameters: CommandLine['parameters'],
  given: JsonText | FlowingBody | undefined,
  application: Application,
  properties: ReadonlyMap<string, unknown> = new Map(),
): string | undefined {
  if (given instanceof FlowingBody) {
    if (parameters.length === 0) return undefined;
    throw new UsageError('The body is no JSON object, so no --key=value can be added to it.');
  }
  if (parameters.length === 0) return given?.text;
  const members = new Map<string, string>();
  for (const [name, text] of parameters) {
    if (members.has(name)) throw new UsageError(`--${name} is given more than once.`);
    members.set(name, application.schemas.jsonOf(text, properties.get(name)));
  }
  const written = [...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return given === undefined ? `{${written.join(',')}}` : joined(given, members, written);
}

/** The text of the body stays as it is, so that no number in it changes. */
function joined(
  { text, value }: JsonText,
  members: ReadonlyMap<string, string>,
  written: readonly string[],
): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('The body is no JSON object, so no --key=value can be added to it.');
  const twice = [...members.keys()].find((name) => Object.hasOwn(value, name));
  if (twice !== undefined) throw new UsageError(`'${twice}' is given both in the body and as an option.`);
  const open = text.trimEnd().slice(0, -1);
  return `${open}${Object.keys(value).length === 0 ? '' : ','}${written.join(',')}}`;
}

function headersOf(
  { headers, token }: CommandLine,
  environment: NodeJS.ProcessEnv,
  contentType: string | undefined,
): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const header of headers) {
    const [name, value] = headerOf(header);
    const key = name.toLowerCase();
    if (named.has(key)) throw new UsageError(`The header '${name}' is given more than once.`);
    named.set(key, value);
  }
  if (token !== undefined && named.has('authorization'))
    throw new UsageError('--token and an Authorization header cannot be used together.');
  const bearer = token ?? (environment['TOKEN'] || undefined);
  if (bearer !== undefined && !named.has('authorization'))
    named.set('authorization', headerOf(`Authorization: Bearer ${bearer}`, 'The token')[1]);
  if (contentType !== undefined && !named.has('content-type')) named.set('content-type', contentType);
  return named;
}

/** The value is not repeated in messages: it may be a secret. */
function headerOf(text: string, what?: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new UsageError(`-H needs the form 'Name: value'.`);
  const name = text.slice(0, colon).trim();
  const value = text.slice(colon + 1).trim();
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    throw new UsageError(`${what ?? `The header '${name}'`} has characters that no header can have.`, {
      cause: error,
    });
  }
  return [name, value];
}
