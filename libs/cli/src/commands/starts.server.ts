import type { CommandLine } from '../command-line/command.line.js';
import { segmentsOf } from '../request/path.words.js';

/** True if the words start a server on standard input, which then is no body. */
export function startsServer({ words, data, requestMethod, help }: CommandLine): boolean {
  return segmentsOf(words)[0] === 'mcp' && data === undefined && requestMethod === undefined && !help;
}
