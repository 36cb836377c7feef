import type { ForgivingSession } from '../database/session.js';
import type { RetypedColumn, SchemaChange } from '../diff/schema.diff.tool.js';
import { changedValues } from './changed.values.js';

/**
 * Lists why a change must not be applied without `allowDestructive`; empty when nothing would be lost.
 *
 * @param retyped the columns whose values can be looked at
 */
export async function objectionsTo(
  session: ForgivingSession,
  change: SchemaChange,
  retyped: readonly RetypedColumn[],
): Promise<readonly string[]> {
  return objectionsOf(change, await changedValues(session, retyped));
}

/** {@link objectionsTo}, with the values that a new type would change. */
export function objectionsOf(
  change: Pick<SchemaChange, 'losses' | 'possibleRenames'>,
  changed: readonly string[],
): readonly string[] {
  const lost = [...change.losses, ...changed];
  if (lost.length === 0) return [];
  return [
    'without allowDestructive this is not applied, because it would lose:',
    ...lost.map((what) => `  ${what}`),
    ...questions(change, new Set(change.losses)),
  ];
}

/** A rename looks like something that goes and something that comes; only the writer knows. */
function questions(
  { possibleRenames }: Pick<SchemaChange, 'possibleRenames'>,
  losses: ReadonlySet<string>,
): readonly string[] {
  const asked = possibleRenames.filter(({ from }) => losses.has(from));
  if (asked.length === 0) return [];
  return [
    'if it was renamed, say so in the option renames:',
    ...asked.map(({ from, to }) => `  ${from} may have become ${to}`),
  ];
}
