import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityName, RequiredEntityData } from '@mikro-orm/core';
import { startApplication, type Application, type ApplicationOptions, type Platform } from './application.js';
import { citusUrl } from './citus.js';
import { isCluster, isMariaDb, poolerAddress, type DatabaseName, type OrmOptions } from './database.js';
import { log, type RecordedLog } from './log.js';

/** A platform and a database that a sentence is tried on. */
export interface Combination {
  readonly platform: Platform;
  readonly database: DatabaseName;
  /** Whether statements go past MikroORM where they can: on PostgreSQL and MariaDB. */
  readonly way: 'direct' | 'mikro-orm';
  /** Whether requests go through the platform, or past it where they can (docs/settings.md, Roads). */
  readonly road: 'straight' | 'platform';
}

/**
 * Express and Fastify on both roads, PostgreSQL, PGlite and SQLite, both ways to PostgreSQL: each with each would tell nothing
 * more, because platforms and databases know nothing of each other (docs/architecture.md).
 */
const combinations: readonly Combination[] = [
  { platform: 'express', database: 'postgresql', way: 'direct', road: 'straight' },
  { platform: 'fastify', database: 'postgresql', way: 'mikro-orm', road: 'platform' },
  { platform: 'fastify', database: 'pglite', way: 'mikro-orm', road: 'straight' },
  { platform: 'express', database: 'sqlite', way: 'mikro-orm', road: 'platform' },
];

/** MariaDB, which `npm run test:mariadb` tries sentences on. */
const onMariaDb: readonly Combination[] = [
  { platform: 'express', database: 'mariadb', way: 'direct', road: 'straight' },
];

/** Both platforms and both ways to MariaDB; nowhere in another run. */
export const mariaDbOnly: readonly Combination[] = isMariaDb
  ? [...onMariaDb, { platform: 'fastify', database: 'mariadb', way: 'mikro-orm', road: 'platform' }]
  : [];

/** A cluster has PostgreSQL alone, one of Citus, too. */
const inCluster = ({ database }: Combination): boolean =>
  (!isCluster && citusUrl === undefined) || database === 'postgresql';

const everywhere = isMariaDb ? onMariaDb : combinations.filter(inCluster);

function isPostgresql({ database }: Combination): boolean {
  return database === 'postgresql' || database === 'pglite';
}

/** Every database, where no HTTP platform matters. */
export const everyDatabase = everywhere.filter(
  ({ platform, database }) => platform === 'express' || database === 'pglite',
);

/**
 * Where sentences are tried that say nothing else. PGlite goes through MikroORM on Fastify, too, so that PostgreSQL that
 * way tells little more and takes as long again: CI does it, and `npm run test:everywhere`.
 */
const usual = process.env['TEST_EVERYWHERE'] === undefined ? everyDatabase : everywhere;

/** Where a sentence is about what SQLite has not: schemas, widths of columns, types of its own. */
export const postgresqlOnly = everywhere.filter(isPostgresql);

/** PostgreSQL past MikroORM, and PGlite through it: what SQLite has not, where nothing else matters. */
export const bothPostgresql = everyDatabase.filter(isPostgresql);

/** PGlite alone: for extensions that the server of this run has not. */
export const pgliteOnly = everyDatabase.filter(({ database }) => database === 'pglite');

/** Where a sentence is about what SQLite does in another way than the others. */
export const sqliteOnly = everywhere.filter(({ database }) => database === 'sqlite');

/** Both platforms, on the database that starts in no time, where no database matters. */
export const everyPlatform: readonly Combination[] = isMariaDb
  ? onMariaDb
  : (['express', 'fastify'] as const).map((platform) => ({
      platform,
      database: 'sqlite',
      way: 'mikro-orm',
      road: 'straight',
    }));

/** Express on PostgreSQL alone, where neither matters. */
export const once = everywhere.slice(0, 1);

/** The same through PgBouncer; nowhere where it is not installed (apt-get install pgbouncer). */
export const oncePooled = poolerAddress === undefined ? [] : once;

/** Both ways to PostgreSQL through PgBouncer. */
export const bothPooled =
  poolerAddress === undefined ? [] : combinations.filter(({ database }) => database === 'postgresql');

/** Who prepares each connection needs MikroORM's for every statement. */
const ways = {
  direct: {},
  'mikro-orm': { onReserveConnection: () => Promise.resolve() },
} satisfies Record<Combination['way'], OrmOptions>;

/** What the body of a test works with. */
export interface Subject extends Application {
  /** What was logged since this test began. */
  readonly log: RecordedLog;
  /** Stores a record past the endpoints. */
  save<E extends object>(entity: EntityName<E>, values: RequiredEntityData<E>): Promise<E>;
  /** How many records there are. */
  count<E extends object>(entity: EntityName<E>): Promise<number>;
}

/** Names a test with a sentence of the contract. */
export type Contract = (sentence: string, body: (subject: Subject) => Promise<void> | void) => void;

/**
 * One application per combination, started before the tests of the enclosing file or `describe` and closed after
 * them; every test finds it without records.
 *
 * @example
 * const { contract } = service(libraryWith([books()]));
 *
 * contract('Delete answers an empty object', async ({ request, save }) => {
 *   const { id } = await save(Book, { title: 'Emma' });
 *   expectAnswer(await request().delete(`/books/${id}`), 200, success({}));
 * });
 */
export const service = (
  options: ApplicationOptions,
  combinations: readonly Combination[] = usual,
): { contract: Contract } => {
  const started = new Map<Combination, PromiseSettledResult<Application>>();

  beforeAll(async () => {
    for (const combination of combinations) {
      const { platform, database, road } = combination;
      const orm = { ...ways[combination.way], ...options.orm };
      const [outcome] = await Promise.allSettled([
        startApplication(platform, database, { road, ...options, orm }),
      ]);
      started.set(combination, outcome);
    }
  }, 180_000);

  afterAll(async () => {
    for (const outcome of started.values()) if (outcome.status === 'fulfilled') await outcome.value.close();
  });

  const subjectOn = async (combination: Combination): Promise<Subject> => {
    const outcome = started.get(combination);
    if (outcome?.status !== 'fulfilled') throw outcome?.reason;
    await outcome.value.clean();
    log.lines = [];
    return subject(outcome.value);
  };

  const contract: Contract = (sentence, body) => {
    if (combinations.length === 0) {
      test.skip(`${sentence}: nothing of this run has it`, () => undefined);
      return;
    }
    describe.each(combinations)('$platform, $database, $way', (combination) => {
      test(sentence, async () => {
        expect.hasAssertions();
        await explained(body, await subjectOn(combination));
      });
    });
  };
  return { contract };
};

/** A test that fails shows what the service logged as an error meanwhile. */
const explained = async (body: Parameters<Contract>[1], subject: Subject): Promise<void> => {
  try {
    await body(subject);
    subject.truth.expectTruth();
  } catch (error) {
    const reason = log.text('error');
    if (reason) console.error(reason);
    throw error;
  }
};

const subject = (application: Application): Subject => ({
  ...application,
  log,
  save: async (entity, values) => {
    const em = application.em();
    const record = em.create(entity, values);
    await em.persist(record).flush();
    return record;
  },
  count: (entity) => application.em().count(entity),
});
