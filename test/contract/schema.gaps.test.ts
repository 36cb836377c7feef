import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import {
  Callable,
  EndpointGroup,
  EndpointsModule,
  endpointsFastifyOptions,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { EndpointKind, PlainReply, type CompiledKind } from '@nest-endpoints/core/kinds';
import { openApiDocument, Schema } from '@nest-endpoints/openapi';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { log } from '../support/log.js';

const adapters = {
  express: () => new ExpressAdapter(),
  fastify: () => new FastifyAdapter(endpointsFastifyOptions()),
};

const applications: INestApplication[] = [];
afterEach(async () => {
  for (const app of applications.splice(0)) await app.close();
});

/** An application with a Schema beside these endpoints. */
const documenting = async (
  platform: keyof typeof adapters,
  endpoints: readonly EndpointOrGroup[],
): Promise<INestApplication> => {
  const group = new EndpointGroup({ endpoints: [new Schema({ url: 'schema' }), ...endpoints] });
  const imports = [EndpointsModule.forRoot({}), EndpointsModule.forFeature([group])];
  const module = await Test.createTestingModule({ imports }).compile();
  log.lines = [];
  const app = module.createNestApplication(adapters[platform](), { logger: log });
  applications.push(app);
  return app;
};

const toCall = (): number => 1;

const odd = (): Callable[] => [
  new Callable({ url: 'mapped', outputSchema: { $ref: '#/$defs/Nowhere' }, toCall }),
  new Callable({ url: 'broken', outputSchema: { type: 'string', pattern: '(' }, toCall }),
  new Callable({ url: 'odd', outputSchema: { properties: { a: 5 as never } }, toCall }),
];

const gaps = [
  /Callable 'mapped': the reference '#\/\$defs\/Nowhere' in a schema leads nowhere/,
  /Callable 'broken': the pattern '\(' of a schema is no regular expression/,
  /Callable 'odd': a schema cannot be documented: it is no JSON Schema/,
];

/** Goes on when something is true, or after five seconds. */
const until = async (isTrue: () => boolean): Promise<void> => {
  const late = AbortSignal.timeout(5000);
  while (!isTrue() && !late.aborted) await nextTurn();
};

test.each(['express', 'fastify'] as const)(
  'What cannot be documented is a warning that names it, once the service listens on %s, though nobody asks',
  async (platform) => {
    const app = await documenting(platform, odd());
    await app.listen(0, '127.0.0.1');
    await until(() => gaps.every((gap) => gap.test(log.text('warn'))));
    const told = log.text('warn');
    for (const gap of gaps) expect(told).toMatch(gap);
    expect((await request(app.getHttpServer()).get('/schema')).status).toBe(200);
    expect(log.text('warn')).toBe(told);
  },
);

test('An application that never listens warns of what cannot be documented when it is asked for a document', async () => {
  const app = await documenting('express', odd());
  await app.init();
  expect(log.text('warn')).toBe('');
  openApiDocument(app);
  for (const gap of gaps) expect(log.text('warn')).toMatch(gap);
});

/** Asks `describe` back. */
class Watched extends EndpointKind {
  static describe: () => void = () => undefined;
  static override readonly optionChecks = {};

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;

  override compile(): CompiledKind {
    return {
      handle: () => Promise.resolve(new PlainReply('watched')),
      describe: () => {
        Watched.describe();
        return undefined;
      },
    };
  }
}

test('A start waits for no document: endpoints are described one at a time, between requests', async () => {
  const watched = Array.from({ length: 20 }, (_, index) => new Watched({ url: `watched-${index}` }));
  const app = await documenting('express', watched);
  const turns: number[] = [];
  let turn = 0;
  const listening: boolean[] = [];
  Watched.describe = () => {
    listening.push(app.getHttpServer().listening);
    turns.push(turn);
  };
  const described = until(() => {
    turn += 1;
    return turns.length === watched.length;
  });
  await app.listen(0, '127.0.0.1');
  await described;
  expect(listening).toEqual(watched.map(() => true));
  expect(new Set(turns).size).toBe(watched.length);
});

test('A service that stops listening describes no more endpoints', async () => {
  const watched = Array.from({ length: 20 }, (_, index) => new Watched({ url: `watched-${index}` }));
  const app = await documenting('express', watched);
  let count = 0;
  Watched.describe = () => {
    count += 1;
    if (count === 3) app.getHttpServer().close();
  };
  await app.listen(0, '127.0.0.1');
  await until(() => count >= 3);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(count).toBe(3);
});
