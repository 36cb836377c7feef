import { changeGrantsSql, changeTriggersSql, pruneChanges } from '@nest-endpoints/core';
import { ChangeSweep } from '@nest-endpoints/core/internal';
import { UsageError } from '../command-line/usage.error.js';
import type { CommandContext } from './command.context.js';

type Logs = ChangeSweep['logs'];

/** The words behind `changes`, and what each of them prints. */
const words = {
  prune: async (logs: Logs, { finishStart, signal }: CommandContext): Promise<string> => {
    await finishStart();
    let deleted = 0;
    for (const em of logs) {
      signal.throwIfAborted();
      deleted += await pruneChanges(em);
    }
    return `${JSON.stringify({ deleted })}\n`;
  },
  triggers: (logs: Logs): string => logs.map((em) => changeTriggersSql(em)).join(''),
  grants: (logs: Logs, _context: CommandContext, role: string): string =>
    logs.map((em) => changeGrantsSql(em, role)).join(''),
} as const satisfies Record<
  string,
  (logs: Logs, context: CommandContext, role: string) => string | Promise<string>
>;

/** The words that may follow `changes`. */
export const changesUsage = 'changes prune|triggers|grants <role>';

export function fitsChanges([word = '', ...rest]: readonly string[]): boolean {
  return Object.hasOwn(words, word) && rest.length === (word === 'grants' ? 1 : 0);
}

/** Keeps the log of changes: deletes what is older than it is kept, or prints the SQL that it needs. */
export async function keepChanges(
  context: CommandContext,
  [word, role = '']: readonly string[],
): Promise<boolean> {
  const { logs } = context.application.app.get(ChangeSweep, { strict: false });
  if (logs.length === 0)
    throw new UsageError('changes needs entities that recordChanges was called for, on PostgreSQL.');
  await context.output.write(await words[word as keyof typeof words](logs, context, role));
  return true;
}
