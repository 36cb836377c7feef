import { expect } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { defineEntity, EntityManager, MikroORM, p, RequestContext } from '@mikro-orm/core';
import { Injectable, type CanActivate, type ExecutionContext, type INestApplication } from '@nestjs/common';
import { ChangeRecord, Create, List, recordChanges } from '@nest-endpoints/core';
import { LiveLists } from '@nest-endpoints/live';
import type { ApplicationOptions } from '../support/application.js';
import { once, service } from '../support/contract.js';
import type { OrmOptions } from '../support/database.js';
import { listening, told } from './live.board.js';

/** Shows for whom it is read, as policies of the database would see it. */
const Bell = defineEntity({
  name: 'Bell',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    asker: p.string().formula("coalesce(current_setting('app.asker', true), '')"),
  },
});

recordChanges(Bell, { keepFor: 'forever' });

@Injectable()
class AskerGuard implements CanActivate {
  constructor(private readonly em: EntityManager) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ readonly headers: Record<string, string> }>();
    this.em.setSessionContext({ variables: { 'app.asker': headers['x-asker'] ?? '' } });
    return true;
  }
}

const belfry = (guards: readonly (typeof AskerGuard)[]): ApplicationOptions => ({
  entities: [Bell, ChangeRecord],
  providers: [AskerGuard],
  endpoints: [
    new Create({
      url: 'bells',
      modelClass: Bell,
      readableColumnNames: ['id'],
      writeableColumnNames: ['name'],
    }),
    new List({
      url: 'bells',
      modelClass: Bell,
      readableColumnNames: ['id', 'name', 'asker'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      live: true,
      guards,
    }),
  ],
  root: { live: new LiveLists({ interval: 100 }) },
});

const { contract } = service(belfry([AskerGuard]), once);

contract(
  'Variables that a guard gives to the entity manager hold for what a stream reads, for each sender alone',
  async (subject) => {
    await subject.save(Bell, { name: 'first' });
    const asked = ['ann', 'bea'].map((name) => ['/bells', { 'X-Asker': name }] as const);
    await listening(subject, asked, async (...streams) => {
      for (const stream of streams) await stream.until(told);
      await subject.request().post('/bells').send({ name: 'second' }).expect(201);
      for (const [index, name] of ['ann', 'bea'].entries()) {
        const stream = streams[index];
        if (stream === undefined) throw new Error(`there is no stream of ${name}`);
        await stream.until(({ events }) => JSON.stringify(events).includes('second'));
        const text = JSON.stringify(stream.events);
        expect(text).toContain(`"name":"first","asker":"${name}"`);
        expect(text).toContain(`"name":"second","asker":"${name}"`);
      }
    });
  },
);

/** Gives what MikroORM makes for a request the variables of its sender, where it names one. */
const askerOf =
  (app: INestApplication) =>
  ({ headers }: IncomingMessage, _response: unknown, next: () => void): void => {
    const { em } = app.get<MikroORM>(MikroORM);
    RequestContext.create(em, () => {
      const asker = headers['x-asker'];
      const own = RequestContext.getEntityManager();
      if (asker !== undefined) own?.setSessionContext({ variables: { 'app.asker': String(asker) } });
      next();
    });
  };

const between = service(
  {
    ...belfry([]),
    orm: { registerRequestContext: false } as OrmOptions,
    configure: (app) => app.use(askerOf(app)),
  },
  once,
);

between.contract(
  'What is read for a stream is part of no request, not even of the first one that listened',
  async (subject) => {
    const asked = [['/bells', { 'X-Asker': 'ann' }], ['/bells']] as const;
    await listening(subject, asked, async (ann, nobody) => {
      for (const stream of [ann, nobody]) await stream.until(told);
      await subject.request().post('/bells').send({ name: 'rung' }).expect(201);
      for (const [stream, asker] of [
        [ann, 'ann'],
        [nobody, ''],
      ] as const) {
        await stream.until(({ events }) => JSON.stringify(events).includes('rung'));
        expect(stream.named('changed')).toEqual([{ data: { id: 1, name: 'rung', asker } }]);
      }
    });
  },
);
