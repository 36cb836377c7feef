import type { Kysely } from '@mikro-orm/sql';

/** Kysely's names for its parts, taken from the Kysely within MikroORM: a dependency of ours could become a second copy. */
type Props = ConstructorParameters<typeof Kysely>[0];

/** Makes the driver and the compiler of a database. */
export type KyselyDialect = Props['dialect'];

/** Takes connections out of a pool, and begins and ends transactions on them. */
export type KyselyDriver = Props['driver'];

/** A connection that was taken out of the pool. */
export type KyselyConnection = Awaited<ReturnType<KyselyDriver['acquireConnection']>>;

/** Sees every query that was not compiled before. */
export type KyselyPlugin = Parameters<Kysely<unknown>['withPlugin']>[0];

/** A transaction that its maker ends. */
export type KyselyTransaction = Awaited<
  ReturnType<ReturnType<Kysely<unknown>['startTransaction']>['execute']>
>;
