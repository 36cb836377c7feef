import { invalidIndexes } from '../safety/invalid.indexes.js';
import type { Command } from './command.context.js';
import { filledChange } from './filled.change.js';
import { preview } from './preview.js';
import { changeTo, targetSchema } from './target.schema.js';

/**
 * The statements that `apply` would run, in their order; none when the schema is the target. What `apply` refuses
 * stands before them in comments. Nothing is written.
 */
export const plan: Command = async (context) => {
  const { database, rules } = context;
  const expressions = await context.fills();
  const target = await targetSchema(context);
  const tool = await context.tool();
  return preview(database, rules, async (session, renamed) => {
    const change = await changeTo(session, tool, target, rules);
    const { objections, before, fills, after } = await filledChange(session, change, rules, expressions);
    const statements = [...before, ...fills, ...after].map(({ sql }) => sql);
    const invalid = await invalidIndexes(session, rules, statements);
    return [...objections.map((line) => `-- ${line}`), ...invalid, ...renamed, ...statements];
  });
};
