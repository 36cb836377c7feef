import { expect } from '@jest/globals';
import { defineEntity, EntityManager, p, RequestContext } from '@mikro-orm/core';
import { Create, Get, List, Update } from '@nest-endpoints/core';
import {
  Body,
  Controller,
  Injectable,
  Module,
  Post,
  UseGuards,
  type CanActivate,
  type MiddlewareConsumer,
} from '@nestjs/common';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, postgresqlOnly, service } from '../support/contract.js';
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
      ...(['doors', 'open'] as const).map(
        (url) =>
          new List({
            ...door,
            url,
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
            count: 'estimated',
            guards: url === 'doors' ? [AskerGuard] : [],
          }),
      ),
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

guarded.contract(
  'What policies may hide by the variables of a guard is not estimated',
  async ({ request, em }) => {
    await em().insertMany(
      Door,
      Array.from({ length: 100 }, (_, id) => ({ id })),
    );
    await em().getConnection().execute('analyze door');
    await em().nativeDelete(Door, { id: { $gte: 60 } });
    const counted = async (url: string): Promise<number> =>
      (await request().get(`/${url}?limit=1`)).body.pagination.number_results;
    expect(await counted('doors')).toBe(60);
    // The planner has not heard of it: these are too few for autovacuum.
    expect(await counted('open')).toBe(100);
  },
);

const Gate = defineEntity({
  name: 'Gate',
  properties: { id: p.integer().primary(), owner: p.string() },
});

interface Arriving {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Has a middleware behind that of MikroORM, which says whose gates a request is about. */
@Module({})
class OwnersModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(({ headers }: Arriving, _response: unknown, next: () => void) => {
        const owner = headers['x-owner'];
        if (owner !== undefined)
          RequestContext.getEntityManager()?.addFilter({ name: 'own', cond: { owner }, entity: [Gate] });
        next();
      })
      .forRoutes('{*all}');
  }
}

const gates = { modelClass: Gate, readableColumnNames: ['id'] } as const;

const owned = service(
  {
    entities: [Gate],
    imports: [OwnersModule],
    endpoints: [
      new Get({ ...gates, url: 'gates/:id' }),
      new List({ ...gates, url: 'gates', sortableColumnNames: ['id'], defaultSortColumnName: 'id' }),
      new Update({ ...gates, url: 'gates/:id', writeableColumnNames: ['owner'] }),
    ],
  },
  everyDatabase,
);

owned.contract(
  "A filter that a middleware adds in MikroORM's request context holds for its request alone",
  async ({ request, save }) => {
    await save(Gate, { id: 1, owner: 'ann' });
    await save(Gate, { id: 2, owner: 'ben' });
    const asked = async (owner?: string) => {
      const headers = owner === undefined ? {} : { 'X-Owner': owner };
      const { body } = await request().get('/gates').set(headers);
      return [body.data, (await request().get('/gates/1').set(headers)).status];
    };
    const all = [[{ id: 1 }, { id: 2 }], 200];
    expect(await asked()).toEqual(all);
    expect(await asked('ann')).toEqual([[{ id: 1 }], 200]);
    expect(await asked('ben')).toEqual([[{ id: 2 }], 404]);
    expect((await request().patch('/gates/1').set('X-Owner', 'ben').send({ owner: 'ben' })).status).toBe(404);
    expect(await asked()).toEqual(all);
  },
);
