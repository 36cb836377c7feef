import type { CommandContext } from './command.context.js';
import { changesUsage, fitsChanges, keepChanges } from './keep.changes.js';
import { printCompletion, shells } from './print.completion.js';
import { printSchema } from './print.schema.js';
import { showRoutes } from './show.routes.js';

/** A word of ours, which is no path. */
export interface OwnCommand {
  readonly usage: string;
  readonly meaning: string;
  /** True if these words may follow the command. */
  fits(words: readonly string[]): boolean;
  /** @returns whether it is a success */
  run(context: CommandContext, words: readonly string[]): Promise<boolean>;
}

const alone = (words: readonly string[]): boolean => words.length === 0;

/** Our own words, in the order in which the help text shows them. */
export const ownCommands: ReadonlyMap<string, OwnCommand> = new Map<string, OwnCommand>([
  ['routes', { usage: 'routes', meaning: 'every route, as a table', fits: alone, run: showRoutes }],
  ['schema', { usage: 'schema', meaning: 'the OpenAPI document', fits: alone, run: printSchema }],
  [
    'changes',
    {
      usage: changesUsage,
      meaning: 'deletes changes that are kept no longer; the SQL of triggers, and of rights',
      fits: fitsChanges,
      run: keepChanges,
    },
  ],
  [
    'completion',
    {
      usage: `completion ${shells.join('|')}`,
      meaning: 'a script that makes a shell complete these words',
      fits: ([shell = '', ...rest]) => rest.length === 0 && shells.some((known) => known === shell),
      run: printCompletion,
    },
  ],
]);
