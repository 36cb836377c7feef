import { expect } from '@jest/globals';
import { defineEntity, EntityManager, p, RequestContext } from '@mikro-orm/core';
import { Create, Get } from '@nest-endpoints/core';
import { Body, Controller, Injectable, Post, UseGuards, type CanActivate } from '@nestjs/common';
import { expectAnswer, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
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

/** Shows who asks, as policies of the database would see it. */
const Door = defineEntity({
  name: 'Door',
  properties: {
    id: p.integer().primary(),
    asker: p.string().formula("current_setting('app.asker', true)"),
  },
});

@Injectable()
class AskerGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  canActivate(): boolean {
    this.em.setSessionContext({ variables: { 'app.asker': 'ann' } });
    return true;
  }
}

const door = { modelClass: Door, readableColumnNames: ['id', 'asker'] } as const;

const guarded = service(
  {
    entities: [Door],
    providers: [AskerGuard],
    endpoints: [
      new Get({ ...door, url: 'doors/:id', guards: [AskerGuard] }),
      new Get({ ...door, url: 'open/:id' }),
    ],
  },
  postgresqlOnly,
);

guarded.contract(
  'Variables that a guard gives to the entity manager hold for what its request reads, and no longer',
  async ({ request, save }) => {
    await save(Door, { id: 1 });
    expectAnswer(await request().get('/doors/1'), 200, success({ id: 1, asker: 'ann' }));
    expect((await request().get('/open/1')).body.data.asker).not.toBe('ann');
  },
);
