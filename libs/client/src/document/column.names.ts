/** The column that records are called by, and the name that is left for a column `id` which is another one. */
interface CalledRecords {
  readonly key: string | undefined;
  readonly ownId: string | undefined;
}

/** Gives the name under which front ends have a column: `id` is what records are called by, whatever the service calls that. */
export function frontName({ ownId }: Pick<CalledRecords, 'ownId'>, column: string): string {
  return column === 'id' && ownId !== undefined ? ownId : column;
}

/** Gives the column of the service that front ends mean by a name. */
export function columnOf({ key, ownId }: CalledRecords, name: string): string {
  if (name === ownId) return 'id';
  return name === 'id' && key !== undefined ? key : name;
}

/** Gives a name for a column `id` by which records are not called: one that no column has. */
export function freeName(taken: ReadonlySet<string>): string {
  let name = 'own_id';
  while (taken.has(name)) name = `${name}_`;
  return name;
}
