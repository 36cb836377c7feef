// The same application on Fastify, made by a function as `main.ts` would.
import { endpointsFastifyOptions } from '@nest-endpoints/core';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from './library.module.ts';

export const createApplication = (options) =>
  NestFactory.create(AppModule, new FastifyAdapter(endpointsFastifyOptions()), options);
