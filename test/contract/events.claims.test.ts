import { afterAll, beforeAll, expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import { Authorization, ChangeRecord, EndpointsModule, recordChanges } from '@nest-endpoints/core';
import {
  EventPosition,
  EventsModule,
  WebhookDelivery,
  webhookEndpoints,
  Webhooks,
  WebhookSubscription,
} from '@nest-endpoints/events';
import { once, service } from '../support/contract.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { Claims } from './claims.js';
import { soon } from './events.during.js';
import { inner, subscribe } from './events.parcels.js';

const Purse = defineEntity({
  name: 'Purse',
  properties: { id: p.integer().primary().autoincrement(), owner: p.integer() },
});

const Coin = defineEntity({
  name: 'Coin',
  properties: { id: p.integer().primary().autoincrement(), purse: () => p.manyToOne(Purse) },
});

recordChanges(Purse, { keepFor: 'forever' });
recordChanges(Coin, { keepFor: 'forever' });

/** A rule of the user's own, which hands a claim to the database whatever it is. */
class OwnPurses extends Authorization<object, { readonly sub: string }> {
  override filterModel(query: QueryBuilder<object>, { sub }: { readonly sub: string }): QueryBuilder<object> {
    return query.andWhere({ purse: { owner: sub } } as never);
  }
}

const { contract } = service(
  {
    entities: [Purse, Coin, ChangeRecord, EventPosition, WebhookSubscription, WebhookDelivery],
    root: { authentication: new Claims() },
    imports: [
      EventsModule.forRootAsync({
        useFactory: () => ({
          interval: 250,
          events: {
            coin: {
              model: Coin,
              authorization: new OwnPurses(),
              narrowedBy: ['purse'],
            },
          },
          deliver: new Webhooks(inner),
        }),
      }),
      EndpointsModule.forFeature([webhookEndpoints()]),
    ],
  },
  once,
);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const as = (sub: string) => ({ 'X-Claims': JSON.stringify({ sub }) });

contract(
  'A subscriber whose claims the database cannot compare hears nothing, and all others hear',
  async (subject) => {
    receiver.clear();
    await subscribe(subject, as('ci@clients'), `${receiver.url}/machine`, ['coin']);
    await subscribe(subject, as('99999999999999999999'), `${receiver.url}/huge`, ['coin']);
    await subscribe(subject, as('7'), `${receiver.url}/seven`, ['coin']);
    const em = subject.em().fork();
    const purse = em.create(Purse, { owner: 7 });
    await em.persist(em.create(Coin, { purse })).flush();
    await em.persist(em.create(Coin, { purse })).flush();
    await soon(async () => {
      await subject.request().get('/webhooks').set(as('7'));
      return receiver.all().length >= 2 ? true : undefined;
    });
    expect(receiver.all().map(({ path }) => path)).toEqual(['/seven', '/seven']);
    expect(subject.log.text('warn')).toContain(
      'A rule has failed, so that subscriptions are not told: the database refuses their claims (SQLSTATE 22P02)',
    );
    // What the database says quotes the claim.
    expect(subject.log.text('warn')).not.toContain('ci@clients');
  },
);

contract(
  'What a rule cannot find in the database for a while is told later, and not lost',
  async (subject) => {
    const { em, log, request } = subject;
    receiver.clear();
    await subscribe(subject, as('7'), receiver.url, ['coin']);
    const other = em().fork();
    const purse = other.create(Purse, { owner: 7 });
    await other.persist(purse).flush();
    const dump = (text: string) => em().getConnection().executeDump(text);
    await dump('alter table purse rename to moved_purse');
    try {
      await other.persist(other.create(Coin, { purse })).flush();
      await soon(async () => {
        await request().get('/webhooks').set(as('7'));
        return log.text('warn').includes('Events could not be handed on') ? true : undefined;
      });
    } finally {
      await dump('alter table moved_purse rename to purse');
    }
    await receiver.until(1);
    expect(receiver.all()).toHaveLength(1);
  },
);
