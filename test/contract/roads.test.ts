import { expect, test } from '@jest/globals';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import {
  Controller,
  Get as NestGet,
  Header,
  Injectable,
  Module,
  UseGuards,
  VersioningType,
  type CallHandler,
  type CanActivate,
  type INestApplication,
  type MiddlewareConsumer,
  type NestInterceptor,
  type NestMiddleware,
} from '@nestjs/common';
import { Callable, Get, Public, type EndpointsModule } from '@nest-endpoints/core';
import type { Observable } from 'rxjs';
import type { ApplicationOptions } from '../support/application.js';
import { startApplication, type Application, type Platform } from '../support/application.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { log } from '../support/log.js';

type Root = Parameters<typeof EndpointsModule.forRoot>[0];

/** Requests that something of the user's saw. */
let seen: string[] = [];

const saw = (request: { readonly method?: string; readonly url?: string }): void => {
  seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
};

type Next = () => void;

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
  intercept(context: { getArgByIndex(index: number): { url: string } }, next: CallHandler): Observable<unknown> {
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
  @NestGet(':name')
  answer(): string {
    saw({ method: 'GET', url: 'a route of the user' });
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

const get = (options: Partial<ConstructorParameters<typeof Get<Book>>[0]> = {}): Get<Book> =>
  new Get<Book>({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'], ...options });

const started = async (
  platform: Platform,
  options: Partial<ApplicationOptions> & { readonly root?: Root },
  body: (application: Application) => Promise<void>,
): Promise<void> => {
  seen = [];
  const whole = libraryWith(options.endpoints ?? [get()], options);
  const application = await startApplication(platform, 'sqlite', {
    ...whole,
    root: { ...whole.root, road: 'straight', ...options.root },
  });
  try {
    await body(application);
  } finally {
    await application.close();
  }
};

const straight = "debug Endpoints Get 'books/:id': the straight road";

const roadOf = (text: string): string =>
  text.split('\n').find((line) => line.includes("'books/:id': the ")) ?? 'nobody said which road';
test('x', async () => {
  for (const p of ['express','fastify'] as const) await started(p, {}, async ({ startLog, request }) => {
    console.log(startLog);
    console.log((await request().get('/books/1')).status);
  });
});
