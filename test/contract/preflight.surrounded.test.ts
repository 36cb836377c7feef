import { expect } from '@jest/globals';
import {
  ClassSerializerInterceptor,
  Controller,
  UnauthorizedException,
  UseGuards,
  UseInterceptors,
  VersioningType,
  type CallHandler,
  type CanActivate,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Cors, Endpoint, List } from '@nest-endpoints/core';
import { map, type Observable } from 'rxjs';
import { expectAnswer, notFound } from '../support/answers.js';
import { everyPlatform, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { RefusingGuard } from '../support/enhancers.js';

const from = (origin: string) => ({ securityHeaders: [new Cors(origin)] });

const listed = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

const endpoints = [
  new List({ ...listed, url: 'one', ...from('https://one.example') }),
  new List({ ...listed, url: 'versioned', version: '1', ...from('https://versioned.example') }),
  new List({ ...listed, url: 'bare' }),
  books({ url: 'api', ...from('https://api.example') }),
];

/** Wants a token of every request, as a guard of a whole application does. */
class TokenGuard implements CanActivate {
  canActivate(): never {
    throw new UnauthorizedException();
  }
}

/** Puts whatever is answered into an object. */
class WrappingInterceptor implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map((data) => ({ wrapped: data })));
  }
}

@Controller('shelves')
@UseGuards(RefusingGuard)
@UseInterceptors(WrappingInterceptor)
class ShelvesController {
  @Endpoint({ url: ':id', ...from('https://shelves.example') })
  shelf(): string {
    return 'a shelf';
  }
}

const { contract } = service(
  libraryWith(endpoints, {
    controllers: [ShelvesController],
    configure: (app) => {
      app.useGlobalGuards(new TokenGuard());
      app.useGlobalInterceptors(new ClassSerializerInterceptor(new Reflector()), new WrappingInterceptor());
      app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version', defaultVersion: '1' });
    },
  }),
  everyPlatform,
);

contract(
  'A preflight is answered whatever guards, interceptors and versions in headers an application has',
  async ({ raw, request }) => {
    for (const [path, origin] of [
      ['/one', 'https://one.example'],
      ['/versioned', 'https://versioned.example'],
      ['/api/42', 'https://api.example'],
      ['/shelves/1', 'https://shelves.example'],
    ] as const) {
      const answer = await raw('OPTIONS', path);
      const headers = {
        'access-control-allow-origin': origin,
        'content-type': 'application/json; charset=UTF-8',
        'content-length': '0',
      };
      expect({ path, ...answer }).toMatchObject({ path, status: 200, text: '', headers });
    }
    expectAnswer(await request().options('/bare'), 404, notFound);
    expect((await request().get('/shelves/1').set('X-Version', '1')).status).toBe(401);
  },
);
