import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';

/** Each start loads its own platform: the other one's memory is not to be counted. */
const listen = async (app) => {
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer().address().port;
};

/** Warnings would stand among the lines of progress. */
const options = { logger: ['error'] };

export async function startOnExpress(module, prepare = () => undefined) {
  const { ExpressAdapter } = await import('@nestjs/platform-express');
  const app = await NestFactory.create(module, new ExpressAdapter(), options);
  await prepare(app);
  return listen(app);
}

export async function startOnFastify(module, fastifyOptions, prepare = () => undefined) {
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  const app = await NestFactory.create(module, new FastifyAdapter(fastifyOptions), options);
  await prepare(app);
  return listen(app);
}
