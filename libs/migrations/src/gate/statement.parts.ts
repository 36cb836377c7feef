import type { Node } from 'libpg-query';
import type { SqlStatement } from './sql.statement.js';

/** The statement, or what it makes within a schema: CREATE SCHEMA may hold tables, views and privileges. */
function partsOf(node: Node): readonly Node[] {
  return 'CreateSchemaStmt' in node ? [node, ...(node.CreateSchemaStmt.schemaElts ?? [])] : [node];
}

/** True if a target says who may do what. */
export function managesPrivileges(statements: readonly Pick<SqlStatement, 'node'>[]): boolean {
  return statements.some(({ node }) => partsOf(node).some((part) => 'GrantStmt' in part));
}

/** Gives the question whether a statement sets the default of a column of a view, whatever it calls the view. */
export function defaultsOfViews(statements: readonly Pick<SqlStatement, 'node'>[]): (node: Node) => boolean {
  const parts = statements.flatMap(({ node }) => partsOf(node));
  const tables = new Set(
    parts.flatMap((part) => ('CreateStmt' in part ? (part.CreateStmt.relation?.relname ?? []) : [])),
  );
  const views = new Set(
    parts.flatMap((part) => ('ViewStmt' in part ? (part.ViewStmt.view?.relname ?? []) : [])),
  );
  return (node) => {
    if (!('AlterTableStmt' in node)) return false;
    const { cmds = [], relation, objtype } = node.AlterTableStmt;
    const sets = cmds.some(
      (one) => 'AlterTableCmd' in one && one.AlterTableCmd.subtype === 'AT_ColumnDefault',
    );
    const name = relation?.relname ?? '';
    return sets && (objtype === 'OBJECT_VIEW' || (views.has(name) && !tables.has(name)));
  };
}
