import { objectionsTo } from '../safety/objections.js';
import type { Command } from './command.context.js';
import { preview } from './preview.js';
import { changeTo, targetSchema } from './target.schema.js';

/**
 * The statements that `apply` would run, in their order; none when the schema is the target. What `apply` refuses
 * stands before them in comments. Nothing is written.
 */
export const plan: Command = async (context) => {
  const { database, rules } = context;
  const target = await targetSchema(context);
  const tool = await context.tool();
  return preview(database, rules, async (session, renamed) => {
    const change = await changeTo(session, tool, target, rules);
    const objections = rules.allowDestructive ? [] : await objectionsTo(session, change);
    return [...objections.map((line) => `-- ${line}`), ...renamed, ...change.steps.map(({ sql }) => sql)];
  });
};
