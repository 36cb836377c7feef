import type { Node } from 'libpg-query';
import { expressionsOf, refusedFill, type Fills } from '../safety/fills.js';
import { parseSource } from './sql.parser.js';

/**
 * The expressions of fills as they are run: without comments, and each of them one expression, whatever stands around it.
 *
 * @throws MigrationFailure with a line for each that is not
 */
export function fillExpressions(fills: Fills): Promise<ReadonlyMap<string, string>> {
  return expressionsOf(fills, expressionOf);
}

const before = 'SELECT ';

/** The parts of a SELECT that has nothing but what it selects. */
const bareParts: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op']);

async function expressionOf(name: string, text: string): Promise<string> {
  const [statement, ...others] = await parseSource({ name, text }, before);
  if (statement === undefined || others.length > 0 || !selectsOne(statement.node)) throw refusedFill(name);
  const expression = statement.text.slice(before.length).trim();
  // Between parentheses it must be the same: SELECT takes words that no expression begins with.
  const [update, ...rest] = await parseSource({ name, text: `UPDATE a SET b = (${expression})` });
  if (update === undefined || rest.length > 0 || !('UpdateStmt' in update.node)) throw refusedFill(name);
  return expression;
}

function selectsOne(node: Node): boolean {
  if (!('SelectStmt' in node)) return false;
  const { SelectStmt: select } = node;
  const [target, ...others] = select.targetList ?? [];
  if (target === undefined || others.length > 0 || !('ResTarget' in target)) return false;
  const isBare = Object.keys(select).every((part) => bareParts.has(part)) && select.op === 'SETOP_NONE';
  const { name, val } = target.ResTarget;
  return isBare && name === undefined && val !== undefined && !isSeveral(val);
}

/** True for `*`, which stands for any number of columns, and for DEFAULT, which the column does not have. */
function isSeveral(node: Node): boolean {
  if ('SetToDefault' in node) return true;
  const parts = 'ColumnRef' in node ? node.ColumnRef.fields : undefined;
  const further = 'A_Indirection' in node ? node.A_Indirection.indirection : undefined;
  return [...(parts ?? []), ...(further ?? [])].some((part) => 'A_Star' in part);
}
