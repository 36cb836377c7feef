import { expect } from '@jest/globals';
import { EntityManager, MikroORM } from '@mikro-orm/core';
import { Create, Delete, Get, List, Update } from '@nest-endpoints/core';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { everyDatabase, once, service } from '../support/contract.js';
import type { OrmOptions } from '../support/database.js';
import { Note, shown, Trip, trips } from './life-cycle.trips.js';

const headerOf = (context: ExecutionContext, name: string): string | undefined =>
  context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>().headers[name];

/** Lets a request see trips of one title only, as its header says. */
@Injectable()
class TitleGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  canActivate(context: ExecutionContext): boolean {
    const title = headerOf(context, 'x-title');
    if (title !== undefined) this.em.addFilter({ name: 'title', cond: { title }, entity: [Trip] });
    return true;
  }
}

/** Looks a trip up before the handler does, and lets another connection change it meanwhile. */
@Injectable()
class LoadingGuard implements CanActivate {
  constructor(
    private readonly em: EntityManager,
    private readonly orm: MikroORM,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const title = headerOf(context, 'x-meanwhile');
    if (title === undefined) return true;
    await this.em.findOneOrFail(Trip, { id: 1 });
    await this.orm.em.getConnection().execute(`update trip set title = '${title}' where id = 1`);
    return true;
  }
}

const guards = [TitleGuard, LoadingGuard];

/** Without the entity manager that MikroORM's middleware makes for every request. */
const bare = { registerRequestContext: false } as OrmOptions;

const options = {
  entities: [Trip, Note],
  providers: [TitleGuard, LoadingGuard],
  endpoints: [
    new List({ ...trips, url: 'trips', guards }),
    new Get({ ...trips, url: 'trips/:id', guards }),
    new Create({ ...trips, url: 'trips', guards }),
    new Update({ ...trips, url: 'trips/:id', guards }),
    new Delete({ modelClass: Trip, url: 'trips/:id', guards }),
    new List({ ...trips, url: 'plain' }),
    new Create({ ...trips, url: 'plain' }),
  ],
};

for (const { contract } of [service(options, everyDatabase), service({ ...options, orm: bare }, once)]) {
  contract(
    'A filter that a guard adds through an injected entity manager holds for the request',
    async (subject) => {
      const { request, save, count } = subject;
      const { id } = await save(Trip, { title: 'Nice' });
      const as = (title: string) => ({ 'X-Title': title });
      expect((await request().get('/trips').set(as('Rome'))).body).toMatchObject({ data: [] });
      expect((await request().get('/trips').set(as('Nice'))).body).toMatchObject({
        data: [{ title: 'Nice' }],
      });
      expectAnswer(await request().get(`/trips/${id}`).set(as('Rome')), 404, notFound);
      expectAnswer(
        await request().patch(`/trips/${id}`).set(as('Rome')).send({ title: 'Oslo' }),
        404,
        notFound,
      );
      expectAnswer(await request().delete(`/trips/${id}`).set(as('Rome')), 404, notFound);
      expectAnswer(await request().get(`/trips/${id}`), 200, success(shown('Nice')));
      expect(await count(Trip)).toBe(1);
    },
  );

  contract(
    'What a guard has loaded does not keep an Update from what is stored',
    async ({ request, save }) => {
      const { id } = await save(Trip, { title: 'Nice' });
      const answer = await request().patch(`/trips/${id}`).set('X-Meanwhile', 'Rome').send({ title: 'Nice' });
      expectAnswer(answer, 200, success(shown('Nice')));
      expectAnswer(await request().get(`/trips/${id}`), 200, success(shown('Nice')));
    },
  );
}

const { contract } = service({ ...options, orm: bare }, once);

contract('A request that asks for no entity manager makes none', async ({ orm, request }) => {
  const fork = orm.em.fork.bind(orm.em);
  let forks = 0;
  orm.em.fork = (...parameters: Parameters<typeof fork>) => {
    forks += 1;
    return fork(...parameters);
  };
  expect((await request().post('/plain').send({ title: 'Nice' })).status).toBe(201);
  forks = 0;
  expect((await request().post('/plain').send({ title: 'Rome' })).status).toBe(201);
  expect((await request().get('/plain')).status).toBe(200);
  expect(forks).toBe(0);
});
