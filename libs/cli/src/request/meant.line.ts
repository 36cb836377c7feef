import type { MountedEndpoint } from '@nest-endpoints/core/internal';
import type { Application } from '../application/application.js';
import type { CommandLine } from '../command-line/command.line.js';
import { endpointsAt, partsOf } from './operation.at.js';
import { segmentsOf } from './path.words.js';

/** The words that name an operation by what it does, where a path alone does not tell it from another. */
const verbs: readonly string[] = ['upsert', 'list', 'restore', 'purge', 'history'];

/**
 * The command that words such as `countries upsert FR` and `trips trash restore 5` mean. A path of the application comes before
 * such a word, and so does `-X`. A path of functions that are called by POST and need no body needs
 * no `-X`.
 */
export function meantLine(line: CommandLine, application: Application): CommandLine {
  const segments = segmentsOf(line.words);
  const at = segments.findIndex((segment, index) => index > 0 && verbs.includes(segment));
  const all = endpointsAt(application, segments);
  const isPath = all.some((endpoint) => takes(endpoint, at));
  if (line.requestMethod !== undefined) return line;
  if (all.length > 0 && all.every(isAction)) return { ...line, requestMethod: 'POST' };
  if (at === -1 || isPath) return line;
  const words = segments.filter((_, index) => index !== at);
  const verb = segments[at] ?? '';
  const named = endpointsAt(application, words).find(
    ({ operation }) => operation?.operationId.startsWith(verb) === true,
  );
  if (named !== undefined) return { ...line, words, requestMethod: named.method };
  const moved = [...words, verb];
  const last = endpointsAt(application, moved).find(({ path }) => partsOf(path).at(-1) === verb);
  return last === undefined ? line : { ...line, words: moved, requestMethod: last.method };
}

/** True of a function that is called by POST and needs no body, as `events replay`: its path alone says what is meant. */
function isAction({ kind, method, operation }: MountedEndpoint): boolean {
  return kind === 'Callable' && method === 'POST' && operation?.requestBody?.['required'] !== true;
}

/** True if a path has a word at a place, or a parameter whose values may be any word. */
function takes({ path, operation }: MountedEndpoint, at: number): boolean {
  const name = /^\{(.*)\}$/.exec(partsOf(path)[at] ?? '')?.[1];
  const parameter = operation?.parameters.find((one) => one.in === 'path' && one.name === name);
  if (parameter === undefined) return true;
  const { type, format } = parameter.schema;
  return type === 'string' && format === undefined;
}
