import { helper, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { QueryBuilder, type AbstractSqlDriver } from '@mikro-orm/sql';

/** A list of related records that a flush writes. */
interface List {
  readonly owner: object;
  readonly property: EntityProperty;
}

interface SyncOptions {
  readonly schema?: string;
}

/** The methods of a driver that write lists. */
interface Syncing {
  syncCollections(lists: Iterable<List>, options?: SyncOptions): Promise<void>;
}

/** A join of a query of MikroORM's. */
interface Join {
  readonly prop: EntityProperty;
  readonly table: string;
  readonly schema?: string;
}

/** The part of MikroORM that writes the joins of one query. */
interface JoinWriter {
  createJoinExpression(join: Join, joins: object, schema?: string, override?: string): unknown;
}

/** A query, as far as it knows its schema. */
interface Query {
  readonly driver: AbstractSqlDriver;
  readonly em?: { readonly schema: string | undefined };
  readonly mainAlias: { readonly meta: EntityMetadata };
}

const obeying = new WeakSet<object>();
const writers = new WeakSet<object>();

/**
 * Makes MikroORM obey the schema that was chosen for an entity manager, where it takes that of the configuration: for
 * what a query joins, and for tables between many-to-many relations when they are written.
 */
export function obeyChosenSchema(driver: AbstractSqlDriver): void {
  obeying.add(driver);
  obeyInLists(driver);
  obeyInJoins();
}

function obeyInLists(driver: AbstractSqlDriver): void {
  const syncing = driver as unknown as Syncing;
  const sync = syncing.syncCollections.bind(driver);
  syncing.syncCollections = async (lists, options = {}) => {
    const others: List[] = [];
    const chosen = new Map<string, List[]>();
    for (const list of lists) {
      const schema = freePivot(driver, list.property) && schemaOf(list, options);
      if (typeof schema !== 'string') others.push(list);
      else chosen.set(schema, [...(chosen.get(schema) ?? []), list]);
    }
    for (const [schema, some] of chosen)
      await within(schema, pivotsOf(driver, some), () => sync(some, options));
    if (others.length > 0) await sync(others, options);
  };
}

/** MikroORM looks at the schema of a table between relations before it waits for anything. */
function within(schema: string, pivots: readonly EntityMetadata[], work: () => Promise<void>): Promise<void> {
  for (const pivot of pivots) pivot.schema = schema;
  try {
    return work();
  } finally {
    for (const pivot of pivots) Reflect.deleteProperty(pivot, 'schema');
  }
}

function pivotsOf(driver: AbstractSqlDriver, lists: readonly List[]): readonly EntityMetadata[] {
  return lists.flatMap(({ property }) => freePivot(driver, property) ?? []);
}

/** The table between the two sides of a relation, where it has no schema of its own. */
function freePivot(driver: AbstractSqlDriver, { pivotEntity }: EntityProperty): EntityMetadata | undefined {
  const pivot = driver.getMetadata().find(pivotEntity);
  return pivot?.schema === undefined ? pivot : undefined;
}

function schemaOf({ owner }: List, { schema }: SyncOptions): string | undefined {
  const { __meta: meta, __schema: own } = helper(owner) as unknown as {
    readonly __meta: EntityMetadata;
    readonly __schema?: string;
  };
  return meta.schema === undefined ? (own ?? schema) : schema;
}

/** Once for all queries of a process: MikroORM copies queries, and each has a writer of its own. */
function obeyInJoins(): void {
  const known = Object.getOwnPropertyDescriptor(QueryBuilder.prototype, 'helper');
  const given: unknown = known === undefined ? undefined : Reflect.get(known, 'get');
  if (typeof given !== 'function' || writers.has(given)) return;
  const get = function (this: Query): JoinWriter {
    const writer = given.call(this) as JoinWriter;
    if (obeying.has(this.driver) && !writers.has(writer)) obeyIn(writer, this);
    return writer;
  };
  writers.add(get);
  Object.defineProperty(QueryBuilder.prototype, 'helper', { ...known, get });
}

function obeyIn(writer: JoinWriter, query: Query): void {
  writers.add(writer);
  const { driver } = query;
  const configured: unknown = driver.config.get('schema');
  const write = writer.createJoinExpression.bind(writer);
  const writeChosen: typeof write = (join, joins, schema, override) => {
    const chosen = query.em?.schema ?? (query.mainAlias.meta.schema === undefined ? override : undefined);
    const isFree = chosen !== undefined && join.schema === configured && !isFixed(driver, join);
    return write(isFree ? { ...join, schema: chosen } : join, joins, schema, override);
  };
  writer.createJoinExpression = writeChosen;
}

/** True if the table that is joined has a schema of its own. */
function isFixed(driver: AbstractSqlDriver, { prop, table }: Join): boolean {
  const pivot = driver.getMetadata().find(prop.pivotEntity);
  const meta = pivot?.tableName === table ? pivot : prop.targetMeta;
  return meta === undefined || meta.schema !== undefined;
}
