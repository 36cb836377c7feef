import type { Command } from './command.context.js';
import { preview } from './preview.js';
import { changeTo, targetSchema } from './target.schema.js';

/** Writes the statements for what the database has and the target has not, or otherwise: to be put into the SQL files. */
export const planExport: Command = async (context) => {
  const { database, rules } = context;
  const target = await targetSchema(context);
  const tool = await context.tool();
  return preview(database, rules, async (session) => {
    const change = await changeTo(session, tool, target, rules);
    return change.steps.length === 0 ? [] : change.exported();
  });
};
