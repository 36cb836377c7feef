import { expect } from '@jest/globals';
import {
  CacheControl,
  Callable,
  Cors,
  Endpoint,
  type CallableContext,
  type InjectMap,
} from '@nest-endpoints/core';
import { Controller, Get, Injectable, Post, Scope } from '@nestjs/common';
import { z } from 'zod';
import { clientError, expectAnswer, failure, inputErrors, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';
import { Claims } from './claims.js';

@Injectable()
class Shelves {
  readonly count = 3;
}

const place = z.object({ shelf: z.number().int().max(9, 'at most 9') });
const readable = { modelClass: Book, readableColumnNames: ['title', 'inPrint'] } as const;

@Controller('shelves')
class ShelvesController {
  constructor(private readonly shelves: Shelves) {}

  @Endpoint({ url: 'best', responseHeaders: ['X-Kind: method'] })
  best(): string {
    return `the best of ${this.shelves.count}`;
  }

  @Endpoint({ url: ':name', securityHeaders: [new Cors('https://a.test'), new CacheControl('no-store')] })
  named({ name }: CallableContext<':name'>): object {
    return { name, of: this.shelves.count };
  }

  @Endpoint({ url: 'place', requestMethods: ['POST', 'PUT'], inputSchema: place })
  place({ requestData }: CallableContext<'place', z.infer<typeof place>>): number {
    return requestData.shelf;
  }

  @Endpoint({ url: 'mine', requestMethods: ['POST'], authentication: new Claims() })
  mine({ authorizationData }: CallableContext<'mine'>): unknown {
    return authorizationData;
  }

  @Endpoint({
    ...readable,
    url: 'books',
    requestMethods: ['PATCH'],
    externalCasing: 'camelCase',
    returnRecords: true,
  })
  books({ em }: CallableContext): unknown {
    return em.find(Book, {});
  }

  @Endpoint({ url: 'broken', requestMethods: ['DELETE'] })
  broken(): never {
    throw new Error('a secret');
  }

  @Get('plain/own')
  own(): object {
    return { plain: true };
  }

  @Post('refused/own')
  refused(): never {
    throw new TypeError('of the own controller');
  }
}

@Controller({ path: ['left', 'right'], scope: Scope.REQUEST })
class SidesController {
  static made = 0;
  readonly number = ++SidesController.made;

  @Endpoint({ url: 'side' })
  side(): number {
    return this.number;
  }
}

const { contract } = service({
  entities: library,
  providers: [Shelves],
  controllers: [ShelvesController, SidesController],
  endpoints: [
    new Callable<string, object, unknown, unknown, unknown, InjectMap>({ url: 'other', toCall: () => 1 }),
  ],
});

contract(
  'A method with @Endpoint answers in the envelope, with the instance of its controller',
  async (subject) => {
    const { request } = subject;
    const best = await request().get('/shelves/best');
    expectAnswer(best, 200, success('the best of 3'));
    expect(best.headers['x-kind']).toBe('method');
    expectAnswer(await request().get('//shelves/oak%20wood/'), 200, success({ name: 'oak wood', of: 3 }));
  },
);

contract('A method with @Endpoint is judged by its input rules before it is called', async ({ request }) => {
  expectAnswer(await request().post('/shelves/place').send({ shelf: 4 }), 200, success(4));
  expectAnswer(await request().put('/shelves/place').send({ shelf: 5 }), 200, success(5));
  expectAnswer(
    await request().post('/shelves/place').send({ shelf: 10 }),
    400,
    inputErrors({ shelf: 'at most 9' }),
  );
  expectAnswer(await request().post('/shelves/place'), 400, clientError('A JSON body is required'));
});

contract('A method with @Endpoint is authenticated', async ({ request }) => {
  expectAnswer(await request().post('/shelves/mine').send('{'), 401, clientError('Not Authenticated'));
  const asked = request().post('/shelves/mine').set('X-Claims', '{"sub":"ada"}');
  expectAnswer(await asked, 200, success({ sub: 'ada' }));
});

contract(
  'A method with @Endpoint that returns instances shows their readable columns, cased',
  async (subject) => {
    await subject.save(Book, { title: 'Emma' });
    const { body } = (await subject.request().patch('/shelves/books')) as { body: unknown };
    expect(body).toMatchObject({ data: [{ title: 'Emma', inPrint: true }] });
  },
);

contract('A method with @Endpoint that throws is a failure', async ({ request }) => {
  expectAnswer(await request().delete('/shelves/broken'), 500, failure('Internal Server Error'));
});

contract('OPTIONS on a method with @Endpoint has its security headers', async ({ request }) => {
  const { status, headers } = await request().options('/shelves/oak');
  expect([status, headers['access-control-allow-origin'], headers['access-control-allow-methods']]).toEqual([
    200,
    'https://a.test',
    'GET',
  ]);
  expectAnswer(await request().options('/left/side'), 404, notFound);
});

contract('Other methods of the controller keep the answers of Nest', async ({ request }) => {
  expect((await request().get('/shelves/plain/own')).body).toEqual({ plain: true });
  expect((await request().post('/shelves/refused/own')).body).toEqual({
    statusCode: 500,
    message: 'Internal server error',
  });
  expectAnswer(await request().get('/other'), 200, success(1));
});

contract(
  'A controller with several paths, made for each request, has its endpoints at all of them',
  async (subject) => {
    const { request } = subject;
    const numbers = [];
    for (const path of ['/left/side', '/right/side', '/left/side'])
      numbers.push(((await request().get(path)).body as { data: number }).data);
    expect(new Set(numbers).size).toBe(3);
  },
);
