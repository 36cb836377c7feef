import type { CommandLine } from '../command-line/command.line.js';
import { segmentsOf } from '../request/path.words.js';
import { ownCommands } from './own.commands.js';

/** True if the words ask for help or are a word of ours. Whether a path of the application is meant, it knows itself. */
export function readsDocuments({ help, words }: CommandLine): boolean {
  const [first, ...others] = segmentsOf(words);
  if (help || first === undefined) return true;
  const own = ownCommands.get(first);
  return own?.fits(others) === true && own.asks !== true;
}
