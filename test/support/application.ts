import { DeadlockException, MikroORM, type EntityManager, type EntityName } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule, endpointsFastifyOptions } from '@nest-endpoints/core';
import { recordTruth, type TruthRecorder } from '@nest-endpoints/testing';
import { Module, type DynamicModule, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import supertest, { Test } from 'supertest';
import {
  freshDatabase,
  unconnected,
  usualRoute,
  type Database,
  type DatabaseName,
  type OrmOptions,
  type Route,
  type Table,
} from './database.js';
import { log } from './log.js';
import { sendRaw, type RawAnswer, type RawRequest } from './raw.js';
import { recordTraffic } from './traffic.js';

/** The HTTP platforms every sentence of the contract is tried on. */
export type Platform = 'express' | 'fastify';

/** What the application under test consists of. */
export interface ApplicationOptions extends Pick<ModuleMetadata, 'imports' | 'controllers' | 'providers'> {
  readonly entities: readonly EntityName[];
  readonly endpoints?: Parameters<typeof EndpointsModule.forFeature>[0];
  /** Options of `EndpointsModule.forRoot`; without them forRoot is not called. */
  readonly root?: Parameters<typeof EndpointsModule.forRoot>[0];
  /** More options of MikroORM, such as subscribers or a metadata provider. */
  readonly orm?: OrmOptions;
  /** Which way it takes to PostgreSQL, where that matters. */
  readonly route?: Route;
  /** Makes the tables. Default: MikroORM makes them as entities say. */
  readonly tables?: (orm: MikroORM, database: DatabaseName) => Promise<unknown>;
  /** Whether requests go through the platform. Default past it, where they can. */
  readonly road?: 'straight' | 'platform';
  /** Replaces the platform's adapter as our documentation says to make it. */
  readonly adapter?: () => AbstractHttpAdapter;
  /** What `main.ts` would do between create and listen: a global prefix, versioning. */
  readonly configure?: (app: INestApplication) => void;
}

/** A started application. */
export interface Application {
  readonly platform: Platform;
  readonly database: DatabaseName;
  readonly app: INestApplication;
  readonly orm: MikroORM;
  readonly url: string;
  /** What was logged while it started. */
  readonly startLog: string;
  /** Compares everything it answers with its own document. */
  readonly truth: TruthRecorder;
  /** A request of supertest to it. */
  request(): ReturnType<typeof supertest>;
  /** A QUERY request of supertest to it. */
  query(path: string): Test;
  /** A request that supertest cannot send. */
  raw(method: string, path: string, request?: RawRequest): Promise<RawAnswer>;
  /** A fork to look at the database with. */
  em(): EntityManager;
  /** What changes whenever a row of the table is written. */
  versions(table: string): Promise<unknown>;
  /** Deletes all records and starts the sequences again. */
  clean(): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts an application on a database of its own; an error at start-up is thrown to the caller. */
export const startApplication = async (
  platform: Platform,
  database: DatabaseName,
  options: ApplicationOptions,
): Promise<Application> => {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    log.lines = [];
    const reached = await freshDatabase(database, options.route ?? usualRoute(options.orm));
    undo.push(() => reached.drop());
    const app = await create(platform, options, { ...reached.options, ...options.orm });
    undo.push(() => app.close());
    const orm = app.get<MikroORM>(MikroORM);
    await (options.tables === undefined ? orm.schema.create() : options.tables(orm, database));
    options.configure?.(app);
    await app.listen(0, '127.0.0.1');
    recordTraffic(app.getHttpServer(), `${platform}, ${database}`);
    const truth = recordTruth(app);
    undo.push(() => Promise.resolve().then(() => truth.expectTruth()));
    return {
      platform,
      database,
      app,
      orm,
      startLog: log.text(),
      truth,
      ...(await access(app, orm, reached)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The ways into a running application, from outside and from behind. */
/** Empties the tables. What works beside requests, as a relay does, may be in the way: then PostgreSQL undoes one of the two. */
const cleaned = async (orm: MikroORM, statement: string): Promise<void> => {
  for (;;)
    try {
      await orm.em.getConnection().executeDump(statement);
      return;
    } catch (error) {
      if (!(error instanceof DeadlockException)) throw error;
    }
};

const access = async (app: INestApplication, orm: MikroORM, { emptied, versions }: Database) => {
  const url = await app.getUrl();
  const empty = emptied(tablesOf(orm));
  return {
    url,
    request: () => supertest(url),
    query: (path: string) => new Test(url, 'QUERY', path),
    raw: (method: string, path: string, request?: RawRequest) => sendRaw(url, method, path, request),
    em: () => orm.em.fork(),
    versions: (table: string) => orm.em.getConnection().execute(versions(table)),
    clean: () => cleaned(orm, empty),
  };
};

/** The message with which an application refuses to start; no database is needed for it. */
export const startUpError = async (
  options: ApplicationOptions,
  platform: Platform = 'express',
): Promise<string> => {
  const app = await create(platform, options, { ...unconnected, ...options.orm }).catch(
    (error: unknown) => error,
  );
  if (app instanceof Error) return app.message;
  throw new Error('the application started');
};

const adapters = {
  express: () => new ExpressAdapter(),
  fastify: () => new FastifyAdapter(endpointsFastifyOptions()),
} satisfies Record<Platform, () => AbstractHttpAdapter>;

const create = (
  platform: Platform,
  options: ApplicationOptions,
  orm: OrmOptions,
): Promise<INestApplication> =>
  NestFactory.create(rootModule(options, orm), (options.adapter ?? adapters[platform])(), {
    logger: log,
    abortOnError: false,
  });

/** `TEST_ROAD=platform` sends the requests of all tests through the platform, which answers them as the straight road does. */
const isOnPlatform = process.env['TEST_ROAD'] === 'platform';

const roadOf = ({ road }: ApplicationOptions): ApplicationOptions['root'] =>
  isOnPlatform || road === 'platform' ? { road: 'platform' } : undefined;

/** True for what `forRoot` and `forRootAsync` give, which an application has once. */
const isRoot = (imported: unknown): boolean =>
  (Object(imported) as { readonly module?: { readonly name: string } }).module?.name ===
  'EndpointsRootModule';

@Module({})
class TestApplication {}

const rootModule = (options: ApplicationOptions, orm: OrmOptions): DynamicModule => ({
  module: TestApplication,
  imports: [
    MikroOrmModule.forRoot({ ...orm, entities: [...options.entities] }),
    ...(options.root || (roadOf(options) && !options.imports?.some(isRoot))
      ? [EndpointsModule.forRoot({ ...roadOf(options), ...options.root })]
      : []),
    ...(options.endpoints ? [EndpointsModule.forFeature(options.endpoints)] : []),
    ...(options.imports ?? []),
  ],
  controllers: options.controllers ?? [],
  providers: options.providers ?? [],
});

/** All tables; several entities may share one. */
const tablesOf = (orm: MikroORM): Table[] => {
  const platform = orm.em.getPlatform();
  const tables = new Map<string, Table>();
  for (const meta of orm.getMetadata().getAll().values()) {
    // Nobody makes tables whose schema requests choose.
    if (!meta.tableName || meta.embeddable || meta.virtual || meta.view || meta.schema === '*') continue;
    const names = meta.schema ? [meta.schema, meta.tableName] : [meta.tableName];
    const name = names.map((part) => platform.quoteIdentifier(part)).join('.');
    tables.set(name, { name, isNumbered: meta.props.some(({ autoincrement }) => autoincrement) });
  }
  return [...tables.values()];
};
