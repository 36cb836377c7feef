import { quoteName } from './mariadb.quoting.js';
import { primary, type ColumnDefinition, type TableDefinition } from './table.definition.js';

/** The parts of ALTER TABLE that make one table into another, but for foreign keys: those are between tables. */
export function partsOfChange(from: TableDefinition, to: TableDefinition): readonly string[] {
  const dropped = [
    ...changedNames(from.checks, to.checks).map((name) => `DROP CONSTRAINT ${quoteName(name)}`),
    ...changedNames(from.keys, to.keys).map((name) =>
      name === primary ? 'DROP PRIMARY KEY' : `DROP INDEX ${quoteName(name)}`,
    ),
    ...[...from.columns].flatMap(([name, column]) => {
      const next = to.columns.get(name);
      return next === undefined || isRemade(column, next) ? [`DROP COLUMN ${quoteName(name)}`] : [];
    }),
  ];
  const added = [...changed(to.keys, from.keys), ...changed(to.checks, from.checks)].map(
    (sql) => `ADD ${sql}`,
  );
  return [...dropped, ...columnParts(from, to), ...added, ...optionParts(from.options, to.options)];
}

/** The foreign keys that go, because they are gone or others. */
export function droppedForeignKeys(from: TableDefinition, to: TableDefinition): readonly string[] {
  return changedNames(from.foreignKeys, to.foreignKeys).map((name) => `DROP FOREIGN KEY ${quoteName(name)}`);
}

/** The foreign keys that come. */
export function addedForeignKeys(from: TableDefinition | undefined, to: TableDefinition): readonly string[] {
  return changed(to.foreignKeys, from?.foreignKeys ?? new Map<string, string>()).map((sql) => `ADD ${sql}`);
}

/** True if a column cannot be made into the other one: it goes and comes. MariaDB computes its values, or has none for it. */
export function isRemade(from: ColumnDefinition, to: ColumnDefinition): boolean {
  return from.sql !== to.sql && (to.isGenerated || !from.isStored);
}

function columnParts(from: TableDefinition, to: TableDefinition): readonly string[] {
  let place = 'FIRST';
  return [...to.columns].flatMap(([name, column]) => {
    const current = from.columns.get(name);
    const at = place;
    place = `AFTER ${quoteName(name)}`;
    if (current === undefined || isRemade(current, column))
      return [`ADD COLUMN ${quoteName(name)} ${column.sql} ${at}`];
    return current.sql === column.sql ? [] : [`MODIFY COLUMN ${quoteName(name)} ${column.sql}`];
  });
}

/** Values that stand for an option that is not there. */
const unset: Readonly<Record<string, string>> = { COMMENT: `''`, KEY_BLOCK_SIZE: '0' };

function optionParts(from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): readonly string[] {
  const gone = [...from.keys()].filter((name) => !to.has(name));
  const other = [...to].filter(([name, value]) => from.get(name) !== value);
  // A character set without its collation would have the default one.
  const set = other.some(([name]) => name === 'DEFAULT CHARSET' || name === 'COLLATE')
    ? [...to].filter(
        ([name, value]) => name === 'DEFAULT CHARSET' || name === 'COLLATE' || from.get(name) !== value,
      )
    : other;
  return [
    ...gone.map((name) => `${name}=${unset[name] ?? 'DEFAULT'}`),
    ...set.map(([name, value]) => `${name}=${value}`),
  ];
}

function changedNames(from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): readonly string[] {
  return [...from].flatMap(([name, sql]) => (to.get(name) === sql ? [] : [name]));
}

function changed(to: ReadonlyMap<string, string>, from: ReadonlyMap<string, string>): readonly string[] {
  return [...to].flatMap(([name, sql]) => (from.get(name) === sql ? [] : [sql]));
}
