import type { Session } from '../database/session.js';
import type {
  ComparisonRules,
  PossibleRename,
  RequiredColumn,
  RetypedColumn,
  SchemaChange,
  SchemaDiffTool,
} from '../diff/schema.diff.tool.js';
import { quoteName } from './mariadb.quoting.js';
import { readSchema, type MariaDbSchema, type SchemaObject } from './mariadb.schema.js';
import { relaxedSchema } from './relaxed.schema.js';
import { withoutRemadeKeys } from './remade.keys.js';
import { addedForeignKeys, droppedForeignKeys, isRemade, partsOfChange } from './table.change.js';
import type { TableDefinition } from './table.definition.js';

/**
 * Compares what `show create` of one server writes of two databases. The server has brought both into the same words, so
 * that a part differs if and only if its text does, whatever kind of part it is.
 */
export class MariaDbTool implements SchemaDiffTool<MariaDbSchema> {
  readonly version = 'comparison of SHOW CREATE';

  constructor(private readonly isUnmanaged: (name: string) => boolean) {}

  read(session: Session): Promise<MariaDbSchema> {
    return readSchema(session, this.isUnmanaged);
  }

  compare(current: MariaDbSchema, target: MariaDbSchema, rules: ComparisonRules): SchemaChange {
    const pairs = [...target.tables.values()].map((to) => ({ from: current.tables.get(to.name), to }));
    const kept = pairs.flatMap(({ from, to }) => (from === undefined ? [] : [{ from, to }]));
    const gone = [...current.tables.values()].filter(({ name }) => !target.tables.has(name));
    const fresh = pairs.flatMap(({ from, to }) => (from === undefined ? [to] : []));
    const old = [...current.objects].filter(([key, { sql }]) => target.objects.get(key)?.sql !== sql);
    const next = [...target.objects].filter(([key, { sql }]) => current.objects.get(key)?.sql !== sql);
    const withoutRemade = withoutRemadeKeys(current, target);
    const goneTables = new Set(gone.map(({ name }) => name));
    const statements = [
      // A trigger of a table that goes goes with it, but it may fire on nothing meanwhile.
      ...old.map(([, { kind, name }]) => `DROP ${kind.toUpperCase()} ${quoteName(name)}`),
      ...kept.flatMap(({ from, to }) => altered(to, droppedForeignKeys(from, withoutRemade(to)))),
      ...gone.flatMap((table) =>
        altered(
          table,
          [...table.foreignKeys.keys()].map((name) => `DROP FOREIGN KEY ${quoteName(name)}`),
        ),
      ),
      ...gone.map(({ name }) => `DROP TABLE ${quoteName(name)}`),
      ...fresh.map(withoutForeignKeys),
      ...kept.flatMap(({ from, to }) => altered(to, partsOfChange(from, to))),
      ...pairs.flatMap(({ from, to }) => altered(to, addedForeignKeys(from && withoutRemade(from), to))),
      ...inOrder(next.map(([, object]) => object)).map(({ sql }) => sql),
    ];
    return {
      steps: statements.map((sql) => ({ sql, addsLabel: false })),
      losses: [...[...goneTables].map((name) => `table ${name}`), ...kept.flatMap(lostColumns)],
      retyped: kept.flatMap(retypedColumns),
      required: kept.flatMap(requiredColumns),
      possibleRenames: [...renamedTables(gone, fresh), ...kept.flatMap(renamedColumns)],
      divided: (columns) => {
        const relaxed = relaxedSchema(current, target, columns);
        return {
          before: this.compare(current, relaxed, rules).steps,
          after: this.compare(relaxed, target, rules).steps,
        };
      },
      exported: () => [
        ...gone.map(({ sql }) => sql),
        ...kept.filter(({ from, to }) => isOther(from, to)).map(({ from }) => from.sql),
        ...old.map(([, { sql }]) => sql),
      ],
    };
  }
}

interface Pair {
  readonly from: TableDefinition;
  readonly to: TableDefinition;
}

function altered({ name }: TableDefinition, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`ALTER TABLE ${quoteName(name)} ${parts.join(', ')}`];
}

function isOther(from: TableDefinition, to: TableDefinition): boolean {
  return (
    [partsOfChange(from, to), droppedForeignKeys(from, to), addedForeignKeys(from, to)].flat().length > 0
  );
}

/** Tables may refer to each other, so that foreign keys come when all are there. */
function withoutForeignKeys({ name, columns, keys, checks, options }: TableDefinition): string {
  const parts = [
    ...[...columns].map(([column, { sql }]) => `${quoteName(column)} ${sql}`),
    ...keys.values(),
    ...checks.values(),
  ];
  const rest = [...options].map(([option, value]) => `${option}=${value}`).join(' ');
  return `CREATE TABLE ${quoteName(name)} (\n  ${parts.join(',\n  ')}\n) ${rest}`;
}

function lostColumns({ from, to }: Pair): readonly string[] {
  return [...from.columns].flatMap(([name, column]) => {
    const next = to.columns.get(name);
    // What is computed can be computed again, unless its column is to have values of its own.
    const isComputed = column.isGenerated && next?.isGenerated !== false;
    const isLost = !isComputed && (next === undefined || isRemade(column, next));
    return isLost ? [`column ${from.name}.${name}`] : [];
  });
}

function retypedColumns({ from, to }: Pair): readonly RetypedColumn[] {
  return [...to.columns].flatMap(([column, next]) => {
    const current = from.columns.get(column);
    if (current === undefined || current.type === next.type || isRemade(current, next)) return [];
    return [{ schema: '', table: to.name, column, from: current.type, to: next.type }];
  });
}

function requiredColumns({ from, to }: Pair): readonly RequiredColumn[] {
  return [...to.columns].flatMap(([column, next]) => {
    const current = from.columns.get(column);
    const isNew = current === undefined || isRemade(current, next);
    if (!next.isRequired || next.isGenerated) return [];
    if (isNew ? next.hasValue : current.isRequired) return [];
    return [{ schema: '', table: to.name, column, isNew }];
  });
}

function renamedTables(
  gone: readonly TableDefinition[],
  fresh: readonly TableDefinition[],
): readonly PossibleRename[] {
  const shape = ({ columns }: TableDefinition): string =>
    JSON.stringify([...columns].map(([n, { sql }]) => [n, sql]));
  return gone.flatMap((one) =>
    fresh
      .filter((other) => shape(one) === shape(other))
      .map((other) => ({ from: `table ${one.name}`, to: `table ${other.name}` })),
  );
}

function renamedColumns({ from, to }: Pair): readonly PossibleRename[] {
  const gone = [...from.columns].filter(([name]) => !to.columns.has(name));
  const fresh = [...to.columns].filter(([name]) => !from.columns.has(name));
  return gone.flatMap(([name, { type }]) =>
    fresh
      .filter(([, other]) => other.type === type)
      .map(([other]) => ({ from: `column ${from.name}.${name}`, to: `column ${from.name}.${other}` })),
  );
}

const turns: readonly SchemaObject['kind'][] = ['function', 'procedure', 'view', 'trigger'];

/** Functions before views, views after those that they read. */
function inOrder(objects: readonly SchemaObject[]): readonly SchemaObject[] {
  const sorted: SchemaObject[] = [];
  const seen = new Set<SchemaObject>();
  const views = objects.filter(({ kind }) => kind === 'view');
  const add = (object: SchemaObject): void => {
    if (seen.has(object)) return;
    seen.add(object);
    if (object.kind === 'view')
      for (const other of views)
        if (other !== object && object.sql.includes(quoteName(other.name))) add(other);
    sorted.push(object);
  };
  for (const object of objects.toSorted((a, b) => turns.indexOf(a.kind) - turns.indexOf(b.kind))) add(object);
  return sorted;
}
