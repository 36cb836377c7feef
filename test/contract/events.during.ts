import { expect } from '@jest/globals';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { EndpointsModule } from '@nest-endpoints/core';
import { PgBossQueue } from '@nest-endpoints/events';
import { Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { PgBoss } from 'pg-boss';
import type { Application, ApplicationOptions } from '../support/application.js';
import { during } from '../support/during.js';
import { depot, of } from './events.parcels.js';

/** A row, as far as tests look at it. */
interface SqlRow {
  readonly due?: number;
  readonly tries?: number;
  readonly last_error?: string;
  readonly state?: string;
  readonly data?: { readonly data: { readonly id: number } };
}

/** Runs an application whose events go to a queue of pg-boss, `parcels`, and pg-boss beside it. */
export const withBoss = async (
  work: (application: Application, boss: PgBoss) => Promise<void>,
): Promise<void> => {
  let boss: PgBoss | undefined;
  const deliver = {
    insert: (...given: Parameters<PgBoss['insert']>) => {
      if (boss === undefined) throw new Error('There is no boss yet');
      return boss.insert(...given);
    },
  };
  await during(
    depot({}, () => ({ deliver: new PgBossQueue(deliver, 'parcels') })),
    async (application) => {
      const { clientUrl, host, port, user, password, dbName } = application.orm.config.getAll();
      const connection =
        clientUrl === undefined
          ? { host, port, user, password, database: dbName }
          : { connectionString: clientUrl };
      boss = new PgBoss({ ...connection, schedule: false, supervise: false } as never);
      boss.on('error', () => undefined);
      await boss.start();
      try {
        await work(application, boss);
      } finally {
        await boss.stop({ graceful: false });
      }
    },
  );
};

@Module({})
class SecondInstance {}

/** Another instance of the service, on the database of the first. */
export const besides = async (first: Application, options: ApplicationOptions): Promise<INestApplication> => {
  const clientUrl = first.orm.config.get('clientUrl') ?? '';
  const module = {
    module: SecondInstance,
    imports: [
      MikroOrmModule.forRoot({
        driver: PostgreSqlDriver,
        clientUrl,
        entities: [...options.entities],
        ...(options.orm as object | undefined),
      }),
      EndpointsModule.forRoot(options.root ?? {}),
      ...(options.imports ?? []),
    ],
  };
  const app = await NestFactory.create(module, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
};

/** Makes parcels of tenant 1. @returns their keys */
export const make = async ({ request }: Pick<Application, 'request'>, count: number): Promise<number[]> => {
  const records = Array.from({ length: count }, (_, index) => ({ name: `${index}`, tenant_id: 1 }));
  const { status, body } = await request().post('/parcels/bulk').set(of(1)).send({ records });
  expect(status).toBe(201);
  return (body.data as { id: number }[]).map(({ id }) => id);
};

/** Asks the database, past the application. */
export const sql = (application: Application, text: string) =>
  application.em().getConnection().execute<readonly SqlRow[]>(text) as Promise<readonly SqlRow[]>;

/** Looks for what stays once it is there. */
export const soon = async <T>(read: () => Promise<T | undefined>): Promise<T> => {
  const end = performance.now() + 30_000;
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error('It takes too long');
  }
};

/** Waits for what happens in this process. */
export const untilTrue = async (isTrue: () => boolean): Promise<void> => {
  await soon(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return isTrue() ? true : undefined;
  });
};
