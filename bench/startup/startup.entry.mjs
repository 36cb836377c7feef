// One start, in a process of its own: `bare` is Nest and MikroORM with 50 entities, `endpoints` has 200 endpoints, too.
import 'reflect-metadata';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { NestFactory } from '@nestjs/core';
import { manyEntities } from './many.entities.mjs';

const [, , what, platform] = process.argv;

const adapters = {
  express: async () => new (await import('@nestjs/platform-express')).ExpressAdapter(),
  fastify: async (options) => new (await import('@nestjs/platform-fastify')).FastifyAdapter(options),
};

/** The library is loaded by the one that uses it alone: loading is a part of what it costs. */
const additions =
  what === 'bare' ? { imports: [] } : (await import('./many.endpoints.mjs')).manyEndpoints(manyEntities);

const app = await NestFactory.create(
  {
    module: class Many {},
    imports: [
      MikroOrmModule.forRoot({
        driver: PostgreSqlDriver,
        clientUrl: process.env.DATABASE_URL,
        entities: manyEntities,
      }),
      ...additions.imports,
    ],
  },
  await adapters[platform](additions.fastifyOptions),
  { logger: ['error', 'warn'] },
);
await app.listen(0, '127.0.0.1');
const milliseconds = performance.now();
globalThis.gc();
process.on('disconnect', () => process.exit());
process.send({ milliseconds, memory: process.memoryUsage.rss() / 1e6 });
