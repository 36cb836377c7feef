import { connect, type ClientHttp2Session } from 'node:http2';
import { MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule, endpointsFastifyOptions } from '@nest-endpoints/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { ApplicationOptions } from './application.js';
import { freshDatabase, usualRoute } from './database.js';
import { library } from './entities/library.js';
import { log } from './log.js';

/** An application that speaks HTTP/2, and a client's session with it. */
export interface Http2Application {
  readonly app: NestFastifyApplication;
  readonly session: ClientHttp2Session;
}

/** Starts one over a library. It is without what compares answers with their document, which knows HTTP/1 alone. */
export const startHttp2 = async ({
  endpoints = [],
  root = {},
}: Pick<ApplicationOptions, 'endpoints' | 'root'>): Promise<Http2Application> => {
  const { options } = await freshDatabase('sqlite', usualRoute(undefined));
  const module = await Test.createTestingModule({
    imports: [
      MikroOrmModule.forRoot({ ...options, entities: [...library] }),
      EndpointsModule.forRoot(root),
      EndpointsModule.forFeature(endpoints),
    ],
  }).compile();
  const adapter = new FastifyAdapter({ http2: true, ...endpointsFastifyOptions() });
  const app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: log });
  await app.get<MikroORM>(MikroORM).schema.create();
  await app.listen(0, '127.0.0.1');
  return { app, session: connect(await app.getUrl()) };
};
