import {
  EventType,
  TransactionEventBroadcaster,
  type EntityManager,
  type EntityMetadata,
  type MikroORM,
} from '@mikro-orm/core';
import type { AbstractSqlDriver, SqlEntityManager } from '@mikro-orm/sql';
import { CompiledQuery } from 'kysely';
import { ServiceUnavailable } from '../wire/refusals.js';
import { writeArraysExactly } from './sql/array.literal.js';
import { Listeners } from './direct/listeners.js';
import { Dialect } from './sql/dialect.js';
import { NativePool, reasonAgainstPool, type StatementMode } from './pool/native.pool.js';
import { FilteredEntities } from './restriction.js';
import type { Row } from './row.writer.js';
import type { Statement, StatementInputs } from './sql/statement.js';
import { TableSql } from './sql/table.sql.js';

/** A request's own entity manager: an empty identity map, and the transaction of the request if there is one. */
export type RequestEntityManager = SqlEntityManager;

/** The SQL database behind a MikroORM instance. */
export class Database {
  readonly dialect: Dialect;
  readonly tables: TableSql;
  /** Why statements cannot go past MikroORM; undefined where they can. */
  readonly reasonAgainstPool: string | undefined;
  /** The hooks and subscribers that take part in writes. */
  readonly listeners: Listeners;
  readonly #pools = new Map<StatementMode, NativePool>();
  readonly #filtered: FilteredEntities;

  constructor(readonly orm: MikroORM) {
    const driver = orm.em.getDriver() as unknown as AbstractSqlDriver;
    this.dialect = new Dialect(driver.getPlatform());
    writeArraysExactly(this.dialect.platform);
    this.tables = new TableSql(driver, this.dialect, schemaOf(orm));
    this.reasonAgainstPool = reasonAgainstPool(orm);
    this.listeners = new Listeners(orm);
    this.#filtered = new FilteredEntities(orm);
  }

  fork(): RequestEntityManager {
    return this.orm.em.fork() as EntityManager as RequestEntityManager;
  }

  /** The pool for statements of this mode; undefined where all of them are MikroORM's. */
  pool(mode: StatementMode): NativePool | undefined {
    if (mode === 'mikro-orm' || this.reasonAgainstPool !== undefined) return undefined;
    const pool = this.#pools.get(mode) ?? new NativePool(this.orm, mode === 'prepared');
    this.#pools.set(mode, pool);
    return pool;
  }

  /** Whether a filter that MikroORM's configuration or the entity declares holds for all requests. */
  isFiltered(meta: EntityMetadata): boolean {
    return this.#filtered.isDeclared(meta);
  }

  /** Whether MikroORM's filters may hide records of one of these entities from a request. */
  restricts(entities: ReadonlySet<EntityMetadata>): boolean | Promise<boolean> {
    return this.#filtered.haveSome(entities);
  }

  /** Sends a statement with real parameters, inside the entity manager's transaction when there is one. */
  async run(
    em: RequestEntityManager,
    statement: Statement,
    inputs: StatementInputs,
  ): Promise<readonly Row[]> {
    const query = CompiledQuery.raw(statement.text, statement.bind(inputs));
    const { rows } = await em.getKysely().executeQuery<Record<string, unknown>>(query);
    return rows.map(Object.values);
  }

  /**
   * Runs `work` in one transaction on the request's own entity manager: committed when it succeeds, rolled back when
   * it throws. Within it only this entity manager may be used; another connection would not see what it wrote.
   *
   * The connection is held from the pool around the transaction. MikroORM's own `begin` would not give it back when
   * the rollback fails, as it does on a connection that was cut: after a few of those the pool would be empty.
   */
  async transaction<T>(em: RequestEntityManager, work: () => Promise<T>): Promise<T> {
    const connection = em.getConnection('write');
    await connection.ensureConnection();
    const events = new TransactionEventBroadcaster(em, { topLevelTransaction: true });
    return connection
      .getClient()
      .connection()
      .execute(async (held) => {
        await events.dispatchEvent(EventType.beforeTransactionStart);
        const context = await held.startTransaction().execute();
        em.setTransactionContext(context);
        await events.dispatchEvent(EventType.afterTransactionStart, context);
        try {
          const result = await work();
          await em.commit();
          return result;
        } catch (error) {
          throw await this.#rolledBack(em, error);
        }
      });
  }

  /** What to throw after the rollback: a rollback that fails means that the connection is lost. */
  async #rolledBack(em: RequestEntityManager, error: unknown): Promise<unknown> {
    try {
      await em.rollback();
      return error;
    } catch (failure) {
      this.orm.config.getLogger().warn('query', `A transaction could not be rolled back: ${String(failure)}`);
      return new ServiceUnavailable({ cause: error });
    }
  }
}

/** The schema that tables without one of their own are in, when it is not the database's default. */
function schemaOf(orm: MikroORM): string | undefined {
  const schema = orm.config.get('schema');
  return schema === orm.em.getPlatform().getDefaultSchemaName() ? undefined : schema;
}
