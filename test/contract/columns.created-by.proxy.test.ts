import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, CreatedByIpColumn, defineColumns, endpointsFastifyOptions } from '@nest-endpoints/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ApplicationOptions } from '../support/application.js';
import { everyDatabase, service } from '../support/contract.js';

const Visit = defineEntity({
  name: 'Visit',
  properties: { id: p.integer().primary().autoincrement(), ip: p.string() },
});

defineColumns(Visit, { ip: { type: new CreatedByIpColumn() } });

const visits: ApplicationOptions = {
  entities: [Visit],
  endpoints: [
    new Create({ url: 'visits', modelClass: Visit, readableColumnNames: ['ip'], writeableColumnNames: [] }),
  ],
};

const onPlatform = everyDatabase.slice(0, 1);
const trusting = {
  express: service(
    { ...visits, configure: (app) => (app as NestExpressApplication).set('trust proxy', true) },
    onPlatform,
  ),
  fastify: service(
    { ...visits, adapter: () => new FastifyAdapter({ ...endpointsFastifyOptions(), trustProxy: true }) },
    onPlatform.map((combination) => ({ ...combination, platform: 'fastify' as const })),
  ),
};

for (const { contract } of Object.values(trusting))
  contract('CreatedByIp believes a proxy where the platform trusts it', async ({ request }) => {
    const { body } = await request().post('/visits').set('X-Forwarded-For', '10.1.2.3').send({});
    expect(body.data).toEqual({ ip: '10.1.2.3' });
  });
