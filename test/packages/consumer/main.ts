import 'reflect-metadata';
import { MikroORM } from '@mikro-orm/core';
import { endpointsFastifyOptions } from '@nest-endpoints/core';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { LibraryModule } from './library.module.js';

// A module of CommonJS cannot await.
async function start(): Promise<void> {
  const isFastify = process.argv[2] === 'fastify';
  const adapter = isFastify ? new FastifyAdapter(endpointsFastifyOptions()) : new ExpressAdapter();
  const app = await NestFactory.create(LibraryModule, adapter, { logger: ['debug', 'warn', 'error'] });
  app.enableShutdownHooks();
  await app.get(MikroORM).schema.create();
  await app.listen(0, '127.0.0.1');
  console.log(`listening on ${await app.getUrl()}`);
}

void start();
