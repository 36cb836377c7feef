import type { ForgivingSession } from '../database/session.js';
import type { RetypedColumn, SchemaChange } from '../diff/schema.diff.tool.js';
import { changedValues } from './changed.values.js';
import type { Rename } from './renames.js';

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

/**
 * Lists the renames of the options whose old name is not there, where what may have been meant would be lost: a misspelt entry
 * must not lose what it was to keep, with `allowDestructive` neither.
 *
 * @param nameOf the object that a rename makes, as the change names it
 */
export function mistakenRenames(
  { losses, possibleRenames }: Pick<SchemaChange, 'losses' | 'possibleRenames'>,
  renames: readonly Rename[],
  nameOf: (rename: Rename) => string,
): readonly string[] {
  // What a rename has made is there, and does not come with the change.
  const expected = new Set(renames.map(nameOf));
  const lost = new Set(losses);
  const mistaken = possibleRenames.filter(({ from, to }) => lost.has(from) && expected.has(to));
  if (mistaken.length === 0) return [];
  return [
    'an entry of the option renames is about a name that is not there:',
    ...mistaken.map(({ from, to }) => `  nothing becomes ${to} (did you mean ${from}?)`),
  ];
}
