import type { IncomingMessage, Server } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { expect, test } from '@jest/globals';
import { Callable, endpointsFastifyOptions } from '@nest-endpoints/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ApplicationOptions, Platform } from '../support/application.js';
import { platforms, started } from './roads.js';

const takesNew = (url = ''): string => url.replace(/^\/old\//, '/');

type Rewriting = (request: { url?: string }, response: unknown, next: () => void) => void;

/** Those who may rewrite a path before the platform looks at it. */
const rewriting = new Map<string, readonly [Platform, Partial<ApplicationOptions>]>([
  [
    'rewriteUrl of Fastify',
    [
      'fastify',
      {
        adapter: () =>
          new FastifyAdapter({
            ...endpointsFastifyOptions(),
            rewriteUrl: (request: IncomingMessage | Http2ServerRequest) => takesNew(request.url),
          }),
      },
    ],
  ],
  [
    'middleware of the Express that Nest gets',
    [
      'express',
      {
        adapter: () => {
          const instance = new ExpressAdapter().getInstance<{ use(layer: Rewriting): unknown }>();
          instance.use((request, _response, next) => {
            request.url = takesNew(request.url);
            next();
          });
          return new ExpressAdapter(instance);
        },
      },
    ],
  ],
  ...platforms.map((platform): [string, readonly [Platform, Partial<ApplicationOptions>]] => [
    `a listener of the server, ${platform}`,
    [
      platform,
      {
        configure: (app) => {
          (app.getHttpServer() as Server).prependListener('request', (request: IncomingMessage) => {
            request.url = takesNew(request.url);
          });
        },
      },
    ],
  ]),
]);

test.each([...rewriting.keys()])(
  'An endpoint answers at a path that is rewritten to its own: %s',
  async (who) => {
    const [platform, options] = rewriting.get(who) ?? ['express', {}];
    const endpoints = [
      new Callable({ url: 'asked/:id', toCall: ({ id }) => id }),
      new Callable({ url: 'told', requestMethods: ['POST'], toCall: ({ requestData }) => requestData }),
      new Callable({ url: 'old/other', toCall: () => 'nobody comes here' }),
      new Callable({ url: 'other', toCall: () => 'the other one' }),
    ];
    await started(platform, { endpoints, ...options }, async ({ raw }) => {
      const headers = { 'content-type': 'application/json' };
      const answers = [
        await raw('GET', '/old/asked/5?a=b'),
        await raw('POST', '/old/told', { headers, body: '{"a":1}' }),
        await raw('GET', '/old/other'),
        await raw('GET', '/asked/6'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(answers.map(({ body }) => (body as { data: unknown }).data)).toEqual([
        '5',
        { a: 1 },
        'the other one',
        '6',
      ]);
      expect((await raw('GET', '/old/nowhere')).body).toMatchObject({ status: 'client_error' });
    });
  },
);
