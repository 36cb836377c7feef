import type { RequestContext } from '../../access/request.context.js';
import type { Changes } from '../../records/record.store.js';
import type { Injected } from '../request/callable.context.js';
import type { InjectMap } from '../request/injection.js';

/** The operation of a write on a record. */
export type WriteOperation = 'create' | 'update' | 'delete' | 'restore';

/** The argument of functions of the life cycle, beside the providers of `inject`. */
export interface LifeCycleContext<E extends object = object> extends RequestContext {
  readonly operation: WriteOperation;
  /** The entity. On Create it has no generated id before it is saved. */
  readonly record: E;
  /**
   * The changes, by internal column name: values as the entity has them, of a parent its key. On Create everything that
   * has a value, on Delete nothing. Before the save what was sent and differs; after it what was written.
   */
  readonly changes: Changes;
  /** The position of the record among those of the request, from 0; undefined where the request is about one. */
  readonly index?: number | undefined;
  /** True of a record that is deleted by a mark, false of one that is purged; undefined for others. */
  readonly soft?: boolean | undefined;
}

/** A function of the life cycle. It may be async; what it returns is not looked at. */
export type LifeCycleHook<E extends object, I extends InjectMap> = (
  context: LifeCycleContext<E> & Injected<I>,
) => unknown;

/** Parameters of kinds that write: what runs once it is committed. */
export interface CommitOptions<E extends object, I extends InjectMap = InjectMap> {
  /** Providers of Nest that functions of the life cycle get under these names. An unknown token stops the start. */
  readonly inject?: I;
  /**
   * Runs after the commit, outside of the transaction. What it throws is logged, and the answer stays a success. The
   * answer waits for it, but a second at most.
   */
  readonly afterCommit?: LifeCycleHook<NoInfer<E>, NoInfer<I>>;
}

/** Parameters of Create, Update and Restore: what runs around the save, in its transaction. Throwing refuses the request. */
export interface SaveOptions<E extends object, I extends InjectMap = InjectMap> extends CommitOptions<E, I> {
  /**
   * Runs once the input is accepted, and may change the record. An Update calls it although nothing may have changed,
   * because it may make a change itself.
   */
  readonly beforeSave?: LifeCycleHook<NoInfer<E>, NoInfer<I>>;
  /** Runs once the record is written; not by an Update that had nothing to write. */
  readonly afterSave?: LifeCycleHook<NoInfer<E>, NoInfer<I>>;
}

/** Parameters of Delete and Purge: what runs around the removal, in its transaction. Throwing refuses the request. */
export interface RemovalOptions<E extends object, I extends InjectMap = InjectMap> extends CommitOptions<
  E,
  I
> {
  /** Runs once the record is found and locked. */
  readonly beforeDelete?: LifeCycleHook<NoInfer<E>, NoInfer<I>>;
  /** Runs once the record is deleted. */
  readonly afterDelete?: LifeCycleHook<NoInfer<E>, NoInfer<I>>;
}
