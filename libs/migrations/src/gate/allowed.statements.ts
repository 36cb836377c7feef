import type { Node, RangeVar, RoleSpec } from 'libpg-query';
import { allowedTableChanges } from './allowed.table.changes.js';
import { reservedSchema } from './reserved.schemas.js';

/** The reason for refusing a statement, and the place in its source, in bytes, when the parser gives it. */
export interface Objection {
  readonly reason: string;
  readonly byte?: number | undefined;
}

type Judge<K extends NodeName> = (node: NodeOf<K>) => Objection | undefined;
type NodeName = Node extends infer N ? (N extends unknown ? keyof N : never) : never;
type NodeOf<K extends NodeName> = Extract<Node, Record<K, unknown>>[K];

const allow = (): undefined => undefined;

/** Objects that belong to one database, and that a comment or grant may therefore be about. */
const objectsOfSchemas: ReadonlySet<string | undefined> = new Set([
  'OBJECT_AGGREGATE',
  'OBJECT_ATTRIBUTE',
  'OBJECT_COLLATION',
  'OBJECT_COLUMN',
  'OBJECT_CONSTRAINT',
  'OBJECT_DOMAIN',
  'OBJECT_DOMCONSTRAINT',
  'OBJECT_EXTENSION',
  'OBJECT_FUNCTION',
  'OBJECT_INDEX',
  'OBJECT_MATVIEW',
  'OBJECT_POLICY',
  'OBJECT_PROCEDURE',
  'OBJECT_ROUTINE',
  'OBJECT_RULE',
  'OBJECT_SCHEMA',
  'OBJECT_SEQUENCE',
  'OBJECT_TABCONSTRAINT',
  'OBJECT_TABLE',
  'OBJECT_TRIGGER',
  'OBJECT_TYPE',
  'OBJECT_VIEW',
]);

/**
 * The statements of a target schema. All others are refused: data (INSERT, COPY, CREATE TABLE AS), code that runs at once
 * (DO, CALL), transactions, sessions, roles, other databases, and whatever the diff tool could not compare.
 */
const judges: { readonly [K in NodeName]?: Judge<K> } = {
  AlterDomainStmt: ({ subtype = '' }) => (domainAdditions.has(subtype) ? undefined : removes),
  AlterEnumStmt: ({ oldVal }) => (oldVal === undefined ? undefined : removes),
  AlterFunctionStmt: allow,
  AlterSeqStmt: ({ options = [] }) => firstObjection(options, settingOf),
  AlterTableStmt: ({ cmds = [] }) => firstObjection(cmds, tableChange),
  CommentStmt: ({ objtype }) =>
    objectsOfSchemas.has(objtype)
      ? undefined
      : { reason: 'a comment must be on something inside of a schema' },
  CompositeTypeStmt: allow,
  CreateDomainStmt: allow,
  CreateEnumStmt: allow,
  CreateExtensionStmt: allow,
  CreateFunctionStmt: ({ options = [] }) => firstObjection(options, functionOption),
  CreatePolicyStmt: allow,
  CreateRangeStmt: allow,
  CreateSchemaStmt: ({ authrole, schemaElts = [] }) =>
    ownerless(authrole) ?? firstObjection(schemaElts, objectionTo),
  CreateSeqStmt: ({ sequence, options = [] }) => lasting(sequence) ?? firstObjection(options, settingOf),
  CreateStmt: (table) =>
    lasting(table.relation) ??
    inNoTablespace(table.tablespacename) ??
    (table.ofTypename ? notComparable : undefined) ??
    storedIn(table.accessMethod) ??
    firstObjection(table.options ?? [], settingOf) ??
    firstObjection(table.tableElts ?? [], columnOf),
  CreateTableAsStmt: ({ objtype, into }) =>
    objtype === 'OBJECT_MATVIEW'
      ? (inNoTablespace(into?.tableSpaceName) ?? firstObjection(into?.options ?? [], settingOf))
      : { reason: 'CREATE TABLE AS copies data; define the columns' },
  CreateTrigStmt: allow,
  DefineStmt: ({ kind }) =>
    kind === 'OBJECT_AGGREGATE' || kind === 'OBJECT_COLLATION' ? undefined : notComparable,
  GrantStmt: ({ targtype, objtype }) =>
    targtype !== 'ACL_TARGET_DEFAULTS' && objectsOfSchemas.has(objtype)
      ? undefined
      : { reason: 'privileges must be on something inside of a schema' },
  IndexStmt: ({ concurrent, tableSpace }) =>
    concurrent === true
      ? { reason: 'CONCURRENTLY says how, not what: leave it out of a target schema' }
      : inNoTablespace(tableSpace),
  RuleStmt: allow,
  ViewStmt: ({ view }) => lasting(view),
};

/** The parser's letters for SET DEFAULT, ADD CONSTRAINT, SET NOT NULL and VALIDATE CONSTRAINT. */
const domainAdditions: ReadonlySet<string> = new Set(['T', 'C', 'O', 'V']);

const removes: Objection = { reason: 'it takes something away: say how the schema shall be' };
const notComparable: Objection = { reason: 'what it defines cannot be compared with a database' };

/** Gives the reason why a statement may not stand in a target schema; undefined when it may. */
export function objectionTo(node: Node): Objection | undefined {
  // A node is an object with one key, its sort.
  for (const [name, value] of Object.entries(node) as [NodeName, never][]) {
    const judge = Object.hasOwn(judges, name) ? judges[name] : undefined;
    if (judge === undefined) break;
    const schema = reservedSchema(value);
    if (schema !== undefined) return { reason: `the schema '${schema}' belongs to PostgreSQL` };
    return (judge as Judge<never>)(value);
  }
  return { reason: 'it does not define a schema' };
}

function firstObjection(
  nodes: readonly Node[],
  judge: (node: Node) => Objection | undefined,
): Objection | undefined {
  for (const node of nodes) {
    const objection = judge(node);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function tableChange(node: Node): Objection | undefined {
  if (!('AlterTableCmd' in node)) return notComparable;
  const { subtype, def } = node.AlterTableCmd;
  if (subtype !== undefined && Object.hasOwn(allowedTableChanges, subtype))
    return def === undefined ? undefined : (columnOf(def) ?? firstObjection(optionsIn(def), settingOf));
  const change = (subtype ?? '')
    .replace(/^AT_/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return { reason: `'${change}' does not say how the schema shall be` };
}

/** Functions in C and of the server itself reach past everything that guards a database. */
function functionOption(node: Node): Objection | undefined {
  if (!('DefElem' in node)) return undefined;
  const { defname, arg, location } = node.DefElem;
  if (defname !== 'language' || arg === undefined || !('String' in arg)) return undefined;
  const language = arg.String.sval?.toLowerCase();
  return language === 'c' || language === 'internal'
    ? { reason: `functions in the language '${language}' are not allowed`, byte: location }
    : undefined;
}

/** The options that a change of a table, or a column's identity, has. */
function optionsIn(node: Node): readonly Node[] {
  if ('List' in node) return node.List.items ?? [];
  return 'Constraint' in node ? (node.Constraint.options ?? []) : [];
}

/** Refuses options that the diff tool does not see, and what moves a sequence, whose position is no part of a schema. */
function settingOf(node: Node): Objection | undefined {
  if (!('DefElem' in node)) return undefined;
  const { defnamespace, defname, location: byte } = node.DefElem;
  if (defnamespace !== undefined) return { reason: `options of ${defnamespace} are not managed`, byte };
  return defname === 'restart'
    ? { reason: 'RESTART moves a sequence, which no schema does', byte }
    : undefined;
}

/** Refuses parts of a column that the diff tool does not see. They would be left out without a word. */
function columnOf(node: Node): Objection | undefined {
  if (!('ColumnDef' in node)) return undefined;
  const { compression, storage_name: storage, constraints = [], location: byte } = node.ColumnDef;
  if (compression !== undefined) return { reason: 'COMPRESSION of columns is not managed', byte };
  if (storage !== undefined) return { reason: 'STORAGE of columns is not managed', byte };
  const isVirtual = constraints.some(
    (constraint) => 'Constraint' in constraint && constraint.Constraint.generated_kind === 'v',
  );
  if (isVirtual) return { reason: 'generated columns must be STORED', byte };
  return firstObjection(constraints.flatMap(optionsIn), settingOf);
}

function storedIn(accessMethod: string | undefined): Objection | undefined {
  return accessMethod === undefined || accessMethod === 'heap'
    ? undefined
    : { reason: `access methods of tables are not managed: leave '${accessMethod}' out` };
}

function lasting(relation: RangeVar | undefined): Objection | undefined {
  return relation?.relpersistence === 't'
    ? { reason: 'temporary tables, views and sequences are no part of a schema', byte: relation.location }
    : undefined;
}

function ownerless(role: RoleSpec | undefined): Objection | undefined {
  return role === undefined
    ? undefined
    : { reason: 'owners are not managed: leave AUTHORIZATION out', byte: role.location };
}

function inNoTablespace(name: string | undefined): Objection | undefined {
  return name === undefined || name === ''
    ? undefined
    : { reason: `tablespaces are not managed: leave '${name}' out` };
}
