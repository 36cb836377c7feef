import { expect, test } from '@jest/globals';
import { APP_GUARD } from '@nestjs/core';
import {
  Controller,
  Get as NestGet,
  Injectable,
  Module,
  VersioningType,
  type CallHandler,
  type CanActivate,
  type INestApplication,
  type MiddlewareConsumer,
  type NestInterceptor,
  type NestMiddleware,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { Application, ApplicationOptions, Platform } from '../support/application.js';
import { log } from '../support/log.js';
import { get, platforms, roadOf, started, straight } from './roads.js';

/** Requests that something of the user's saw. */
let seen: string[] = [];

interface Seen {
  readonly url?: string;
  readonly originalUrl?: string;
}

const saw = ({ url = '', originalUrl = url }: Seen): void => {
  seen.push(originalUrl);
};

type Next = () => void;
type ParameterHandler = (request: Seen, response: unknown, next: Next) => void;
type Handler = (request: unknown, response: { send(text: string): unknown }) => unknown;

const logging = (request: { readonly url?: string }, _response: unknown, next: Next): void => {
  saw(request);
  next();
};

/** As @nestjs/throttler has one. */
@Injectable()
class CountingGuard implements CanActivate {
  canActivate(context: { getArgByIndex(index: number): { url: string } }): boolean {
    saw(context.getArgByIndex(0));
    return true;
  }
}

@Injectable()
class CountingInterceptor implements NestInterceptor {
  intercept(
    context: { getArgByIndex(index: number): { url: string } },
    next: CallHandler,
  ): Observable<unknown> {
    saw(context.getArgByIndex(0));
    return next.handle();
  }
}

@Injectable()
class CountingMiddleware implements NestMiddleware {
  use(request: { readonly url?: string }, response: unknown, next: Next): void {
    logging(request, response, next);
  }
}

@Module({})
class CountingModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(CountingMiddleware).forRoutes('books/:id');
  }
}

@Controller('books')
class BooksController {
  @NestGet('new')
  answer(): string {
    return 'mine';
  }
}

@Controller('films')
class FilmsController {
  @NestGet(':name')
  answer(): string {
    return 'mine';
  }
}

const wrapping: MethodDecorator = (target, key) => {
  const inner = Reflect.get(target, key) as (native: Seen) => unknown;
  const value = function (this: unknown, native: Seen): unknown {
    saw(native);
    return inner.call(this, native);
  };
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
};

interface Closing {
  readonly because: string;
  readonly options: Partial<ApplicationOptions>;
}

/** What closes the road for `GET /books/:id`, and what the log says of it. */
const closing = new Map<string, Closing>([
  ['forRoot', { because: 'forRoot says so', options: { root: { road: 'platform' } } }],
  [
    'middleware of main.ts, such as helmet, cookie-parser or compression',
    { because: 'middleware stands before it', options: { configure: (app) => app.use(logging) } },
  ],
  [
    'a global guard',
    {
      because: 'there is a global guard',
      options: { configure: (app) => app.useGlobalGuards(new CountingGuard()) },
    },
  ],
  [
    'a global guard of a module, such as a ThrottlerGuard',
    {
      because: 'there is a global guard',
      options: { providers: [{ provide: APP_GUARD, useClass: CountingGuard }] },
    },
  ],
  [
    'a global interceptor',
    {
      because: 'there is a global interceptor',
      options: { configure: (app) => app.useGlobalInterceptors(new CountingInterceptor()) },
    },
  ],
  [
    'middleware of a module',
    { because: 'a module has middleware (CountingMiddleware)', options: { imports: [CountingModule] } },
  ],
  [
    "a function by the name of Nest's parser",
    {
      because: 'middleware stands before it',
      options: {
        configure: (app) =>
          app.use(function jsonParser(request: Seen, response: unknown, next: Next) {
            logging(request, response, next);
          }),
      },
    },
  ],
  [
    'a decorator that wraps its handler, and leaves no other trace',
    {
      because: 'something is around its handler',
      options: { endpoints: [get({ decorators: [wrapping] })] },
    },
  ],
  [
    'a guard of its own',
    { because: 'it has guards', options: { endpoints: [get({ guards: [CountingGuard] })] } },
  ],
  [
    'an interceptor of its own',
    {
      because: 'it has interceptors',
      options: { endpoints: [get({ interceptors: [CountingInterceptor] })] },
    },
  ],
]);

/** Each platform with each of the names. */
const eachOf = (rows: ReadonlyMap<string, unknown>): [Platform, string][] =>
  platforms.flatMap((platform) => [...rows.keys()].map((name): [Platform, string] => [platform, name]));

test.each(platforms)(
  'An endpoint around which nothing stands is on the straight road: %s',
  async (platform) => {
    await started(platform, {}, async ({ startLog, request }) => {
      expect(roadOf(startLog)).toBe(straight);
      expect((await request().get('/books/1')).status).toBe(404);
    });
  },
);

test.each(eachOf(closing))(
  'The road is closed by what stands around an endpoint: %s, %s',
  async (platform, what) => {
    seen = [];
    const { because, options } = closing.get(what) ?? { because: 'nothing', options: {} };
    await started(platform, options, async ({ startLog, request }) => {
      expect(roadOf(startLog)).toContain(`the platform's road, because ${because}`);
      const answers = [await request().get('/books/1'), await request().get('/books/2')];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      // It sees every request; that of forRoot is nobody.
      expect(seen).toEqual(
        what === 'forRoot' ? [] : [expect.stringContaining('/1'), expect.stringContaining('/2')],
      );
    });
  },
);

test.each(platforms)('Cross-origin answers of Nest are on every answer: %s', async (platform) => {
  await started(platform, { configure: (app) => app.enableCors() }, async ({ startLog, request }) => {
    expect(roadOf(startLog)).toContain("the platform's road, because ");
    const { headers } = await request().get('/books/1').set('Origin', 'https://app.example');
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

const versioned = { type: VersioningType.HEADER, header: 'X-Version' } as const;

test.each(platforms)('Versions that headers tell close the road: %s', async (platform) => {
  await started(platform, { configure: (app) => app.enableVersioning(versioned) }, ({ startLog }) => {
    expect(roadOf(startLog)).toContain('because versions are told by something else than paths');
  });
});

/** The answer of a route that no document has, so that what it says of it is no lie. */
const undocumented = async ({ request, truth }: Application, path: string): Promise<unknown> => {
  const { status, text } = await request().get(path);
  expect(() => {
    truth.expectTruth();
  }).toThrow('The document does not tell the truth');
  return [status, text];
};

test("A route of the user's own that may take the same requests closes the road", async () => {
  await started('fastify', { controllers: [BooksController] }, async (application) => {
    const because = "because the route '/books/new' may take its requests";
    expect(roadOf(application.startLog)).toContain(because);
    expect(await undocumented(application, '/books/new')).toEqual([200, 'mine']);
  });
});

test("A route of the user's own that stands before an endpoint closes the road", async () => {
  const configure = (app: INestApplication): void => {
    const express = app.getHttpAdapter().getInstance() as { get(path: string, answer: Handler): void };
    express.get('/books/new', (_request, response) => response.send('mine'));
  };
  await started('express', { configure }, async (application) => {
    expect(roadOf(application.startLog)).toContain("because the route '/books/new' stands before it");
    expect(await undocumented(application, '/books/new')).toEqual([200, 'mine']);
  });
});

test('A function of the user that Express calls for a parameter closes the road', async () => {
  const configure = (app: INestApplication): void => {
    const express = app.getHttpAdapter().getInstance() as {
      param(name: string, called: ParameterHandler): void;
    };
    express.param('id', (request, _response, next) => {
      saw(request);
      next();
    });
  };
  await started('express', { configure }, async ({ startLog, request }) => {
    seen = [];
    expect(roadOf(startLog)).toContain('because app.param was called');
    expect((await request().get('/books/1')).status).toBe(404);
    expect(seen).toEqual(['/books/1']);
  });
});

test.each(platforms)("Other routes of the user's own leave the road open: %s", async (platform) => {
  await started(platform, { controllers: [FilmsController] }, async ({ startLog, request }) => {
    expect(roadOf(startLog)).toBe(straight);
    expect((await request().get('/films/Emma')).text).toBe('mine');
  });
});

test('The road closes when something is added to Express itself while the service listens', async () => {
  await started('express', {}, async ({ app, request }) => {
    expect((await request().get('/books/1')).status).toBe(404);
    const express = app.getHttpAdapter().getInstance() as { all(path: string, layer: Handler): void };
    log.lines = [];
    express.all('/late', (_request, response) => response.send('late'));
    expect((await request().get('/books/1')).status).toBe(404);
    expect(log.text('debug')).toContain('because something was added to the platform');
  });
});

/** What may be added to a service that listens. */
const later = new Map<string, (app: INestApplication) => unknown>([
  ['app.use', (app) => app.use(logging)],
  ['useGlobalGuards', (app) => app.useGlobalGuards(new CountingGuard())],
  ['useGlobalInterceptors', (app) => app.useGlobalInterceptors(new CountingInterceptor())],
]);

test.each(eachOf(later))(
  'The road closes when something is added while the service listens: %s, %s',
  async (platform, what) => {
    await started(platform, {}, async ({ app, request }) => {
      await request().get('/books/1');
      log.lines = [];
      later.get(what)?.(app);
      expect((await request().get('/books/1')).status).toBe(404);
      expect(log.text('debug')).toContain("All endpoints are on the platform's road from now on, because");
    });
  },
);
