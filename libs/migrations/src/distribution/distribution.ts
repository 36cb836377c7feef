import type { FuncCall, Node } from 'libpg-query';
import type { SqlStatement } from '../gate/sql.statement.js';

/** A line of a target that says where the rows of a table are: on one shard each, or copied to all workers of Citus. */
export interface Distribution {
  readonly statement: SqlStatement;
  /** The table as it is written, with its schema where it has one. */
  readonly table: string;
  /** The column that tells the shard of a row; undefined for a table that all workers have. */
  readonly column: string | undefined;
}

/** The functions of Citus that a target may call, and the number of their texts. */
const functions = new Map([
  ['create_distributed_table', 2],
  ['create_reference_table', 1],
]);

/** Reads `select create_distributed_table('task', 'tenant_id')`, with `colocate_with => 'project'` or without; undefined for all else. */
export function distributionOf(statement: SqlStatement): Distribution | undefined {
  const call = calledBy(statement.node);
  const [name, ...qualified] = call?.funcname?.map(textOf) ?? [];
  const count = name === undefined || qualified.length > 0 ? undefined : functions.get(name);
  if (call === undefined || count === undefined || !isPlain(call)) return undefined;
  const { args = [] } = call;
  const named = args.filter((argument) => 'NamedArgExpr' in argument);
  const [table, column, ...more] = args.filter((argument) => !('NamedArgExpr' in argument)).map(constantOf);
  const isKnown = named.every(isColocation) && (count === 2 || named.length === 0);
  if (table === undefined || (count === 2) !== (column !== undefined) || more.length > 0) return undefined;
  return isKnown ? { statement, table, column } : undefined;
}

/** The one function that a statement calls, if it does nothing else. */
function calledBy(node: Node): FuncCall | undefined {
  if (!('SelectStmt' in node)) return undefined;
  const { targetList = [], op, limitOption, ...more } = node.SelectStmt;
  const isAlone = op === 'SETOP_NONE' && limitOption === 'LIMIT_OPTION_DEFAULT';
  const [target, ...others] = targetList;
  if (!isAlone || Object.keys(more).length > 0 || others.length > 0) return undefined;
  const value = target !== undefined && 'ResTarget' in target ? target.ResTarget.val : undefined;
  return value !== undefined && 'FuncCall' in value ? value.FuncCall : undefined;
}

function isPlain({ agg_filter, agg_order, agg_star, agg_distinct, over, func_variadic }: FuncCall): boolean {
  return [agg_filter, agg_order, agg_star, agg_distinct, over, func_variadic].every(
    (one) => one === undefined,
  );
}

function isColocation(node: Node): boolean {
  if (!('NamedArgExpr' in node)) return false;
  const { name, arg } = node.NamedArgExpr;
  return name === 'colocate_with' && arg !== undefined && constantOf(arg) !== undefined;
}

function constantOf(node: Node): string | undefined {
  return 'A_Const' in node ? node.A_Const.sval?.sval : undefined;
}

function textOf(node: Node): string | undefined {
  return 'String' in node ? node.String.sval : undefined;
}
