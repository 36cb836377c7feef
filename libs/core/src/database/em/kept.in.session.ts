import type { EntityManager, ForkOptions, SessionContext } from '@mikro-orm/core';
import type { AbstractSqlConnection, AbstractSqlDriver, Kysely, SqlEntityManager } from '@mikro-orm/sql';
import { untilAborted } from './given.up.plugin.js';
import { connectionDoors, driverDoors, wayOut } from './way.out.js';

/** An entity manager, as far as it leads to the database, and a fork of it does. */
interface Leading {
  readonly signal?: AbortSignal;
  getConnection(type?: 'read' | 'write'): AbstractSqlConnection;
  getDriver(): AbstractSqlDriver;
  getKysely(options?: object): Kysely<unknown>;
  getSessionContext(): SessionContext | undefined;
  clearSessionContext(): void;
  isInTransaction(): boolean;
  fork(options?: ForkOptions): Leading;
}

type Class = new (...values: never[]) => Leading;

/** The classes by those that they extend. */
const classes = new Map<unknown, Class>();

/**
 * Keeps an entity manager and its forks in their session. While they have the variables or the role of row level
 * security, they lead to no connection outside of a transaction. Once their request was given up, they lead to none at
 * all.
 */
export function keptInSession(em: SqlEntityManager): SqlEntityManager {
  const base: unknown = em.constructor;
  const kept = classes.get(base) ?? keptClass(base as Class);
  classes.set(base, kept);
  Object.setPrototypeOf(em, kept.prototype as object);
  return em;
}

/** The methods that lead out of an entity manager, or change its session. */
const doors = ['getConnection', 'getDriver', 'getKysely', 'fork', 'clearSessionContext'] as const;

/** Leads the global entity manager, which services inject, to the database by way of the one that it stands for. */
export function leadByContext(global: EntityManager): void {
  const em = global as unknown as Leading & EntityManager;
  for (const name of doors) {
    const own = em[name].bind(em) as (option: never) => unknown;
    const led = (option: never): unknown => {
      const isAside = (option as ForkOptions | undefined)?.disableContextResolution === true;
      const context = isAside ? em : (em.getContext(false) as unknown as Leading);
      return context === em ? own(option) : (context[name] as typeof own).call(context, option);
    };
    Reflect.set(em, name, led);
  }
}

/** A request to an entity manager for something outside of its session. */
class OutsideOfSession extends Error {
  constructor() {
    super(
      'Row level security holds in transactions: ask through em itself (em.find, em.execute), or within em.transactional()',
    );
  }
}

function keptClass(base: Class): Class {
  return class KeptInSession extends base {
    override getConnection(type?: 'read' | 'write'): AbstractSqlConnection {
      return wayOut(super.getConnection(type), connectionDoors, () => this.reasonAgainst());
    }

    override getDriver(): AbstractSqlDriver {
      const getConnection = (type: unknown): unknown => this.getConnection(type as 'read' | 'write');
      return wayOut(super.getDriver(), driverDoors, () => this.reasonAgainst(), { getConnection });
    }

    override getKysely(options?: object): Kysely<unknown> {
      this.signal?.throwIfAborted();
      const kysely = super.getKysely(options);
      return this.signal === undefined ? kysely : untilAborted(kysely, this.signal);
    }

    /** Forks the entity manager: what a fork is given of a session is added to what it has. */
    override fork(options: ForkOptions = {}): Leading {
      const known = this.getSessionContext();
      const { session } = options;
      if (known === undefined || session === undefined) return super.fork(options);
      const variables = { ...known.variables, ...session.variables };
      return super.fork({ ...options, session: { ...known, ...session, variables } });
    }

    override clearSessionContext(): void {
      if (this.getSessionContext() !== undefined) throw new OutsideOfSession();
    }

    protected reasonAgainst(): Error | undefined {
      if (this.signal?.aborted === true) return this.signal.reason as Error;
      return this.getSessionContext() === undefined ? undefined : new OutsideOfSession();
    }
  };
}
