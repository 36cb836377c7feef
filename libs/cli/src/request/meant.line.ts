import type { Application } from '../application/application.js';
import type { CommandLine } from '../command-line/command.line.js';
import { endpointsAt } from './operation.at.js';
import { segmentsOf } from './path.words.js';

/** The words that name an operation by what it does, where a path alone does not tell it from another. */
const verbs: readonly string[] = ['upsert'];

/** The command that words such as `countries upsert FR` mean. A path of the application comes before such a word, and so does `-X`. */
export function meantLine(line: CommandLine, application: Application): CommandLine {
  const segments = segmentsOf(line.words);
  const at = segments.findIndex((segment, index) => index > 0 && verbs.includes(segment));
  if (at === -1 || line.requestMethod !== undefined || endpointsAt(application, segments).length > 0)
    return line;
  const words = segments.filter((_, index) => index !== at);
  const verb = segments[at] ?? '';
  const endpoint = endpointsAt(application, words).find(
    ({ operation }) => operation?.operationId.startsWith(verb) === true,
  );
  return endpoint === undefined ? line : { ...line, words, requestMethod: endpoint.method };
}
