import type { Action, FactBase, StableId } from '@supabase/pg-delta';
import type { TableName } from '../schema.diff.tool.js';

/** The tables of a foreign key that an action makes or validates: PostgreSQL looks at the rows of both. */
export function tablesOfKeys({ produces, consumes }: Action, target: FactBase): readonly TableName[] {
  return [...produces, ...consumes]
    .filter((id) => id.kind === 'constraint' && target.get(id)?.payload['type'] === 'f')
    .flatMap((id) => [id, ...target.outgoingEdges(id).map(({ to }) => to)])
    .flatMap(tableOf);
}

function tableOf(id: StableId): readonly TableName[] {
  return id.kind === 'constraint' || id.kind === 'column' ? [{ schema: id.schema, table: id.table }] : [];
}
