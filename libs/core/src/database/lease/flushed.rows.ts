import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { RecentEntries } from '../../limits/recent.entries.js';
import type { Statement } from '../../sql/statement.js';
import type { KyselyTransaction } from '../kysely.types.js';
import { askedIn, givenIn, type Values } from './flushed.values.js';
import type { AnsweredColumns } from './written.row.js';
import { leaseIn, type NativeLease } from './transaction.lease.js';

/** The statements that are kept: one for each set of columns of a table that is written. */
const keptStatements = 500;

/** The options of a driver's write, as far as they matter here. */
interface WriteOptions {
  readonly ctx?: KyselyTransaction;
  readonly convertCustomTypes?: boolean;
  readonly schema?: string;
}

/** The answer of a driver's write. */
interface WriteResult {
  readonly affectedRows: number;
  readonly insertId: unknown;
  readonly row: Record<string, unknown> | undefined;
  readonly rows: readonly Record<string, unknown>[];
}

type Write<Given extends unknown[]> = (
  entity: unknown,
  ...given: [...Given, options?: WriteOptions, ...rest: unknown[]]
) => Promise<WriteResult>;

/** The methods of a driver that write rows. */
interface Writing {
  nativeInsertMany: Write<[data: readonly Values[]]>;
  nativeUpdate: Write<[where: unknown, data: Values]>;
  nativeDelete: Write<[where: unknown]>;
  getTableName(meta: EntityMetadata, options: WriteOptions): string;
  rethrow<T>(promise: Promise<T>): Promise<T>;
}

/**
 * Has a driver of PostgreSQL write single rows of plain values by prepared statements, within transactions of requests. What
 * is anything else MikroORM writes.
 */
export function prepareFlushes(driver: AbstractSqlDriver): void {
  const writing = driver as unknown as Writing;
  const rows = new FlushedRows(driver, writing);
  const insert = writing.nativeInsertMany.bind(driver);
  const update = writing.nativeUpdate.bind(driver);
  const remove = writing.nativeDelete.bind(driver);
  writing.nativeInsertMany = (entity, data, options = {}, ...rest) =>
    (rest.length === 0 ? rows.inserted(entity, data, options) : undefined) ??
    insert(entity, data, options, ...rest);
  writing.nativeUpdate = (entity, where, data, options = {}, ...rest) =>
    rows.updated(entity, where, data, options) ?? update(entity, where, data, options, ...rest);
  writing.nativeDelete = (entity, where, options = {}, ...rest) =>
    rows.deleted(entity, where, options) ?? remove(entity, where, options, ...rest);
}

/** Writes the rows of a flush, one by one. Undefined where that is for MikroORM. */
class FlushedRows {
  readonly #statements = new RecentEntries<string, Statement>(keptStatements);
  readonly #plain = new WeakMap<EntityMetadata, boolean>();

  constructor(
    private readonly driver: AbstractSqlDriver,
    private readonly writing: Writing,
  ) {}

  inserted(
    entity: unknown,
    [data, ...more]: readonly Values[],
    options: WriteOptions,
  ): Promise<WriteResult> | undefined {
    const known = this.#known(entity, options);
    if (known === undefined || data === undefined || more.length > 0) return undefined;
    const { meta, key } = known;
    const given = givenIn(meta, data);
    if (given === undefined || given.size === 0) return undefined;
    // As MikroORM tells what is generated, by the names of columns.
    const returned = meta.props.filter(
      (property) =>
        Reflect.get(property, 'returning') === true ||
        (((property.persist !== false && property.defaultRaw !== undefined) ||
          property.autoincrement === true ||
          property.generated !== undefined) &&
          !given.has(property)),
    );
    const properties = [...given.keys()];
    const row = { sort: 'insert', given, returned, asked: none } as const;
    return this.#sent(known, row, (table) => {
      const places = properties.map((_, index) => `$${index + 1}`).join(', ');
      return `insert into ${table} (${this.#list(properties)}) values (${places})`;
    }).then((result) => {
      const id = data[key.name] ?? result.row?.[fieldOf(key)];
      return { ...result, affectedRows: 1, insertId: id, row: result.row ?? {} };
    });
  }

  updated(
    entity: unknown,
    where: unknown,
    data: Values,
    options: WriteOptions,
  ): Promise<WriteResult> | undefined {
    const known = this.#known(entity, options);
    if (known === undefined || Reflect.get(options, 'upsert') === true) return undefined;
    const { meta, key } = known;
    const asked = askedIn(known, where);
    const given = givenIn(meta, data);
    if (asked === undefined || given === undefined || given.size === 0) return undefined;
    const version = meta.props.find((property) => property.version === true);
    if (version !== undefined && given.has(version)) return undefined;
    const returned = meta.props.filter((one) => one.version === true || isGenerated(one));
    const properties = [...given.keys()];
    const conditions = [...asked.keys()];
    const row = { sort: 'update', given, returned: [...new Set([key, ...returned])], asked } as const;
    return this.#sent(known, row, (table) => {
      const changes = properties.map((one, index) => `${this.#name(one)} = $${index + 1}`);
      if (version !== undefined) changes.push(`${this.#name(version)} = ${this.#name(version)} + 1`);
      const tests = conditions.map((one, index) => `${this.#name(one)} = $${properties.length + index + 1}`);
      return `update ${table} set ${changes.join(', ')} where ${tests.join(' and ')}`;
    });
  }

  deleted(entity: unknown, where: unknown, options: WriteOptions): Promise<WriteResult> | undefined {
    const known = this.#known(entity, { ...options, convertCustomTypes: false });
    const asked = known && askedIn(known, where);
    if (known === undefined || asked === undefined) return undefined;
    const { key } = known;
    const row = { sort: 'delete', given: none, returned: [key], asked } as const;
    return this.#sent(known, row, (table) => {
      const tests = [...asked.keys()].map((one, index) => `${this.#name(one)} = $${index + 1}`);
      return `delete from ${table} where ${tests.join(' and ')}`;
    });
  }

  /** The table and the connection; undefined where MikroORM writes the row. */
  #known(entity: unknown, options: WriteOptions): Known | undefined {
    const lease = leaseIn(options.ctx);
    if (lease?.way === undefined || options.convertCustomTypes !== false) return undefined;
    if (lease.way.pool.isLogged) return undefined;
    const meta = this.driver.getMetadata().find(entity as never);
    const key = meta?.props.find(({ primary }) => primary === true);
    if (meta === undefined || key === undefined || !this.#isPlain(meta)) return undefined;
    return { meta, key, lease, table: this.writing.getTableName(meta, options) };
  }

  #isPlain(meta: EntityMetadata): boolean {
    const known = this.#plain.get(meta);
    if (known !== undefined) return known;
    const isPlain =
      meta.primaryKeys.length === 1 &&
      meta.root === meta &&
      meta.inheritanceType === undefined &&
      meta.discriminatorColumn === undefined &&
      meta.concurrencyCheckKeys.size === 0 &&
      meta.props.every(({ version, runtimeType }) => version !== true || runtimeType === 'number') &&
      this.driver.config.get('forceUtcTimezone');
    this.#plain.set(meta, isPlain);
    return isPlain;
  }

  #sent(known: Known, flushed: FlushedRow, write: (table: string) => string): Promise<WriteResult> {
    const { lease, meta, table } = known;
    const { sort, given, returned, asked } = flushed;
    const { answering } = lease.lease;
    const answered = sort !== 'delete' && answering?.meta === meta ? answering : undefined;
    const names = [given.keys(), returned, asked.keys()].map((some) =>
      [...some].map(({ name }) => name).join(),
    );
    const id = [sort, table, ...names, answered?.list ?? ''].join('\n');
    const kept = this.#statements.get(id);
    const statement = kept ?? statementOf(this.#text(flushed, table, answered, write));
    if (kept === undefined) this.#statements.set(id, statement);
    return this.writing.rethrow(this.#rows(known, statement, flushed, answered));
  }

  #text(
    { returned }: FlushedRow,
    table: string,
    answered: AnsweredColumns | undefined,
    write: (table: string) => string,
  ): string {
    const quote = (name: string): string => this.driver.getPlatform().quoteIdentifier(name);
    const shown = returned.map((property) => this.#name(property));
    if (answered !== undefined) shown.push(answered.list);
    const text = write(answered === undefined ? table : `${table} as ${quote(answered.alias)}`);
    return shown.length === 0 ? text : `${text} returning ${shown.join(', ')}`;
  }

  async #rows(
    { lease: native, key }: Known,
    statement: Statement,
    { sort, given, returned, asked }: FlushedRow,
    answered: AnsweredColumns | undefined,
  ): Promise<WriteResult> {
    const { lease, way } = native;
    const inputs = { values: [...given.values(), ...asked.values()] };
    const found = await way?.pool.recordsWithin(native, statement, inputs, returned.length);
    const { rows = [], records = [] } = found ?? {};
    const [row] = rows;
    const [record] = records;
    if (answered !== undefined && row !== undefined) {
      const of = given.get(key) ?? record?.[fieldOf(key)];
      lease.answering = undefined;
      lease.written = {
        columns: answered,
        key: of,
        isNew: sort === 'insert',
        given,
        row: row.slice(returned.length),
      };
    }
    return { affectedRows: rows.length, insertId: undefined, row: record, rows: records };
  }

  #list(properties: readonly EntityProperty[]): string {
    return properties.map((property) => this.#name(property)).join(', ');
  }

  #name(property: EntityProperty): string {
    return this.driver.getPlatform().quoteIdentifier(fieldOf(property));
  }
}

const none: ReadonlyMap<EntityProperty, unknown> = new Map();

/** A row that is written. */
interface FlushedRow {
  readonly sort: 'insert' | 'update' | 'delete';
  readonly given: ReadonlyMap<EntityProperty, unknown>;
  /** The properties that MikroORM is told of. */
  readonly returned: readonly EntityProperty[];
  /** The conditions by which the row is found. */
  readonly asked: ReadonlyMap<EntityProperty, unknown>;
}

/** The table that is written, and where. */
interface Known {
  readonly meta: EntityMetadata;
  readonly key: EntityProperty;
  readonly lease: NativeLease;
  readonly table: string;
}

function statementOf(text: string): Statement {
  const bind: Statement['bind'] = ({ values = [] }) => [...values];
  return { text, bind, preparation: 'kept', isLookup: false, needsDriver: false, settings: [] };
}

function fieldOf({ fieldNames, name }: EntityProperty): string {
  return fieldNames[0] ?? name;
}

function isGenerated({ generated, primary }: EntityProperty): boolean {
  return generated !== undefined && primary !== true;
}
