import { expect } from '@jest/globals';
import {
  BadRequestException,
  Controller,
  ForbiddenException,
  Get as NestGet,
  Injectable,
  Module,
  RequestMethod,
  UnauthorizedException,
  type MiddlewareConsumer,
  type NestMiddleware,
} from '@nestjs/common';
import { Callable, Cors } from '@nest-endpoints/core';
import { clientError, failure } from '../support/answers.js';
import { everyPlatform, service } from '../support/contract.js';
import { library } from '../support/entities/library.js';

interface Asking {
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What the middleware throws, by what the header x-throws says. */
const thrown: Readonly<Record<string, () => Error>> = {
  unauthorized: () => new UnauthorizedException(),
  forbidden: () => new ForbiddenException('no way'),
  error: () => new Error('a secret of the service'),
};

const complain = ({ headers }: Asking): void => {
  const make = thrown[String(headers['x-throws'])];
  if (make !== undefined) throw make();
};

@Injectable()
class Throwing implements NestMiddleware {
  use(request: Asking, _response: unknown, next: () => void): void {
    complain(request);
    next();
  }
}

@Injectable()
class ThrowingLater implements NestMiddleware {
  async use(request: Asking, _response: unknown, next: () => void): Promise<void> {
    await Promise.resolve();
    if (request.headers['x-later'] !== undefined) complain(request);
    next();
  }
}

@Module({})
class Guarding {
  configure(consumer: MiddlewareConsumer): void {
    // Nest registers middleware for some paths and methods in another way than for all.
    const words = { path: 'words', method: RequestMethod.ALL };
    const nowhere = { path: 'nowhere', method: RequestMethod.GET };
    consumer.apply(Throwing, ThrowingLater).forRoutes('own', words, nowhere);
    consumer.apply(Throwing, ThrowingLater).forRoutes('{*all}');
  }
}

@Controller()
class OwnController {
  @NestGet('own')
  answer(): string {
    return 'mine';
  }

  @NestGet('words/own')
  within(): string {
    return 'mine';
  }

  @NestGet('refusing')
  refuse(): never {
    throw new BadRequestException();
  }
}

const { contract } = service(
  {
    entities: library,
    controllers: [OwnController],
    imports: [Guarding],
    endpoints: [
      new Callable({
        url: 'words',
        responseHeaders: ['X-Extra: yes'],
        securityHeaders: [new Cors('https://app.example')],
        toCall: () => 'yes',
      }),
      new Callable({ url: 'words', requestMethods: ['POST'], toCall: () => 'yes' }),
    ],
  },
  everyPlatform,
);

/** The headers by which a request is refused: at once, or a while later. */
const throwing = (what: string) => [{ 'x-throws': what }, { 'x-throws': what, 'x-later': 'yes' }];

contract(
  "What middleware of a module throws at a route of the user's own controller keeps Nest's answer",
  async ({ raw }) => {
    for (const headers of throwing('unauthorized')) {
      const { status, body } = await raw('GET', '/own', { headers });
      expect({ status, body }).toEqual({ status: 401, body: { message: 'Unauthorized', statusCode: 401 } });
    }
    for (const headers of throwing('forbidden')) {
      const { status, body } = await raw('GET', '/own', { headers });
      const told = { message: 'no way', error: 'Forbidden', statusCode: 403 };
      expect({ status, body }).toEqual({ status: 403, body: told });
    }
    expect((await raw('GET', '/refusing')).body).toEqual({ message: 'Bad Request', statusCode: 400 });
    expect(await raw('GET', '/own')).toMatchObject({ status: 200, text: 'mine' });
  },
);

/** Requests of every sort that we answer, their methods and paths. */
const ours = [
  ['GET', '/words'],
  ['POST', '/words'],
  ['OPTIONS', '/words'],
  ['PATCH', '/words'],
  ['GET', '/words/%zz'],
  ['GET', '/nowhere'],
  ['GET', '/nowhere/else'],
] as const;

contract(
  'What middleware of a module throws is answered with the envelope: at endpoints, preflights and paths that nobody has',
  async ({ raw }) => {
    for (const [method, path] of ours)
      for (const [what, status, body] of [
        ['unauthorized', 401, clientError('Not Authenticated')],
        ['forbidden', 403, clientError('no way')],
        ['error', 500, failure('Internal Server Error')],
      ] as const)
        for (const headers of throwing(what)) {
          const answer = await raw(method, path, { headers });
          expect({ path, ...answer }).toMatchObject({ path, status, body });
          expect(answer.headers).toHaveProperty('x-request-id');
        }
  },
);

contract('What middleware of a module throws at an endpoint has its headers', async ({ raw }) => {
  const { headers } = await raw('GET', '/words', { headers: { 'x-throws': 'forbidden', 'x-later': 'yes' } });
  expect(headers).toMatchObject({
    'x-extra': 'yes',
    'access-control-allow-origin': 'https://app.example',
    'content-type': 'application/json; charset=UTF-8',
  });
});

contract('Middleware that lets a request through leaves its answer alone', async ({ request }) => {
  const answers = [await request().get('/words'), await request().get('/nowhere')];
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  expect((await request().get('/words/own')).text).toBe('mine');
});
