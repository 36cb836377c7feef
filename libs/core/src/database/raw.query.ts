import type { AbstractSqlConnection } from '@mikro-orm/sql';

type Client = ReturnType<AbstractSqlConnection['getClient']>;

/** A statement that Kysely takes as finished. */
export type RawQuery = Extract<Parameters<Client['executeQuery']>[0], { readonly sql: string }>;

/**
 * A statement as Kysely's `CompiledQuery.raw` makes it. MikroORM pins its Kysely, so a dependency of ours on it could
 * become a second copy beside that one.
 */
export function rawQuery(sql: string, parameters: readonly unknown[] = []): RawQuery {
  const query: RawQuery['query'] = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
  return { sql, query, parameters, queryId: { queryId: sql } };
}
