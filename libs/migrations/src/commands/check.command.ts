import type { Command } from './command.context.js';
import { triedTarget } from './target.schema.js';

/** Checks that the SQL makes a schema. It answers nothing when it does, and does not look at the database. */
export const check: Command = async (context) => {
  await context.fills();
  await triedTarget(context, await context.sources());
  return [];
};
