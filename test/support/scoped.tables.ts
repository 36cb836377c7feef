import { parse, type Node, type SelectStmt } from 'libpg-query';

/** A table in a statement, by the name that conditions know it by. */
interface Used {
  readonly table: string;
  readonly alias: string;
}

/**
 * The tables that a statement of PostgreSQL reads or writes without a condition on a column of theirs: each must be compared
 * with `=` or `in` where it stands, by an `and` of its own select, update, delete or join. A row that is inserted must have
 * the column.
 *
 * @param columns by table
 */
export const tablesWithout = async (
  statement: string,
  columns: ReadonlyMap<string, string>,
): Promise<readonly string[]> => {
  const { stmts = [] } = await parse(statement);
  const found: string[] = [];
  for (const { stmt } of stmts) if (stmt !== undefined) look(stmt, columns, found);
  return found;
};

const look = (node: unknown, columns: ReadonlyMap<string, string>, found: string[]): void => {
  if (Array.isArray(node)) for (const one of node as unknown[]) look(one, columns, found);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  for (const [kind, inner] of Object.entries(node as Record<string, unknown>)) {
    if (kind === 'SelectStmt')
      judge((inner as SelectStmt).fromClause, (inner as SelectStmt).whereClause, columns, found);
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') {
      const { relation, fromClause, usingClause, whereClause } = inner as Writing;
      const from = [{ RangeVar: relation }, ...(fromClause ?? []), ...(usingClause ?? [])];
      judge(from as Node[], whereClause, columns, found);
    }
    if (kind === 'InsertStmt') judgeInsert(inner as Inserting, columns, found);
    if (kind === 'MergeStmt') judgeMerge(inner as Merging, columns, found);
    look(inner, columns, found);
  }
};

interface Writing {
  readonly relation: unknown;
  readonly fromClause?: readonly Node[];
  readonly usingClause?: readonly Node[];
  readonly whereClause?: Node;
}

interface Inserting {
  readonly relation?: { readonly relname?: string };
  readonly cols?: readonly { readonly ResTarget?: { readonly name?: string } }[];
}

const judgeInsert = (
  { relation, cols = [] }: Inserting,
  columns: ReadonlyMap<string, string>,
  found: string[],
): void => {
  const table = relation?.relname ?? '';
  const column = columns.get(table);
  if (column === undefined || cols.some(({ ResTarget }) => ResTarget?.name === column)) return;
  found.push(`${table} (inserted)`);
};

interface Merging extends Pick<Inserting, 'relation'> {
  readonly mergeWhenClauses?: readonly {
    readonly MergeWhenClause?: { readonly targetList?: Inserting['cols'] };
  }[];
}

/** Ours never meet a record, so that what they do with one that does not match is all they do. */
const judgeMerge = (
  { relation, mergeWhenClauses = [] }: Merging,
  columns: ReadonlyMap<string, string>,
  found: string[],
): void => {
  for (const { MergeWhenClause } of mergeWhenClauses)
    judgeInsert({ ...(relation && { relation }), cols: MergeWhenClause?.targetList ?? [] }, columns, found);
};

/** One select, update or delete: the tables it names itself, and what it says of them. */
const judge = (
  from: readonly Node[] | undefined,
  where: Node | undefined,
  columns: ReadonlyMap<string, string>,
  found: string[],
): void => {
  const used: Used[] = [];
  const conditions: unknown[] = [];
  for (const item of from ?? []) gather(item, used, conditions);
  conjuncts(where, conditions);
  for (const { table, alias } of used) {
    const column = columns.get(table);
    if (column === undefined) continue;
    const isAlone = used.length === 1;
    if (!conditions.some((one) => isAbout(one, alias, column, isAlone))) found.push(`${table} as ${alias}`);
  }
};

const gather = (item: unknown, used: Used[], conditions: unknown[]): void => {
  const { RangeVar, JoinExpr } = item as {
    readonly RangeVar?: { readonly relname: string; readonly alias?: { readonly aliasname: string } };
    readonly JoinExpr?: { readonly larg: unknown; readonly rarg: unknown; readonly quals?: unknown };
  };
  if (RangeVar !== undefined)
    used.push({ table: RangeVar.relname, alias: RangeVar.alias?.aliasname ?? RangeVar.relname });
  if (JoinExpr === undefined) return;
  gather(JoinExpr.larg, used, conditions);
  gather(JoinExpr.rarg, used, conditions);
  conjuncts(JoinExpr.quals, conditions);
};

const conjuncts = (condition: unknown, into: unknown[]): void => {
  if (condition === undefined) return;
  const { BoolExpr, A_Expr } = condition as {
    readonly BoolExpr?: { readonly boolop: string; readonly args: readonly unknown[] };
    readonly A_Expr?: unknown;
  };
  if (BoolExpr?.boolop === 'AND_EXPR') for (const one of BoolExpr.args) conjuncts(one, into);
  if (A_Expr !== undefined) into.push(A_Expr);
};

interface Fields {
  readonly fields: readonly { readonly String?: { readonly sval: string } }[];
}

interface Compared {
  readonly ColumnRef?: Fields;
  /** Several columns that are compared at once. */
  readonly RowExpr?: { readonly args: readonly Compared[] };
}

const isAbout = (comparison: unknown, alias: string, column: string, isAlone: boolean): boolean => {
  const { name = [], lexpr } = comparison as {
    readonly name?: readonly { readonly String?: { readonly sval: string } }[];
    readonly lexpr?: Compared;
  };
  if (name[0]?.String?.sval !== '=' || lexpr === undefined) return false;
  return (lexpr.RowExpr?.args ?? [lexpr]).some(({ ColumnRef }) => {
    const fields = ColumnRef?.fields.map(({ String: text }) => text?.sval) ?? [];
    if (fields.at(-1) !== column) return false;
    return fields.length > 1 ? fields.at(-2) === alias : isAlone;
  });
};
