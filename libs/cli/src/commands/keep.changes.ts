import { changeGrantsSql, changeTriggersSql } from '@nest-endpoints/core';
import { ChangeSweep } from '@nest-endpoints/core/internal';
import { UsageError } from '../command-line/usage.error.js';
import type { CommandContext } from './command.context.js';

/** The words behind `changes`, and what each of them prints. */
const words = {
  prune: async (sweep: ChangeSweep, { finishStart, signal }: CommandContext): Promise<string> => {
    await finishStart();
    return `${JSON.stringify({ deleted: await sweep.prune(signal) })}\n`;
  },
  triggers: ({ logs }: ChangeSweep): string => logs.map((em) => changeTriggersSql(em)).join(''),
  grants: ({ logs }: ChangeSweep, _context: CommandContext, role: string): string =>
    logs.map((em) => changeGrantsSql(em, role)).join(''),
} as const satisfies Record<
  string,
  (sweep: ChangeSweep, context: CommandContext, role: string) => string | Promise<string>
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
  const sweep = context.application.app.get(ChangeSweep, { strict: false });
  if (sweep.logs.length === 0)
    throw new UsageError('changes needs entities that recordChanges was called for, on PostgreSQL.');
  await context.output.write(await words[word as keyof typeof words](sweep, context, role));
  return true;
}
