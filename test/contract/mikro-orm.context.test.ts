import { expect } from '@jest/globals';
import { RequestContext } from '@mikro-orm/core';
import { Create } from '@nest-endpoints/core';
import { Body, Controller, Injectable, Post, UseGuards, type CanActivate } from '@nestjs/common';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

/** Lets in who comes with the context that MikroORM's middleware makes for every request. */
@Injectable()
class ContextGuard implements CanActivate {
  canActivate(): boolean {
    return RequestContext.getEntityManager() !== undefined;
  }
}

@Controller('own')
@UseGuards(ContextGuard)
class OwnController {
  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

const create = new Create({
  url: 'books',
  modelClass: Book,
  readableColumnNames: ['title'],
  writeableColumnNames: ['title'],
  guards: [ContextGuard],
  inputValidationCallable: () =>
    RequestContext.getEntityManager() === undefined ? { title: 'no context' } : {},
});

const { contract } = service(libraryWith([create], { controllers: [OwnController] }));

contract(
  "MikroORM's request context reaches guards and callables of a request with a body",
  async ({ request }) => {
    expect((await request().post('/own').send({ title: 'Emma' })).status).toBe(201);
    expectAnswer(await request().post('/books').send({ title: 'Emma' }), 201, success({ title: 'Emma' }));
  },
);
