import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OwnRecords } from '@nest-endpoints/auth';
import { Webhooks, type DisabledSubscription } from '@nest-endpoints/events';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { make, soon, sql, untilTrue } from './events.during.js';
import { depot, inner, of, operator, Parcel, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** A rule that asks a service, which may be down: for tenants that a test names. */
class AskingOwner extends OwnRecords {
  readonly down = new Map<number, Error>();
  fails: (tenant: number) => Error | undefined = (tenant) => this.down.get(tenant);
  asked = 0;

  constructor() {
    super('tenantId', 'tenant');
  }

  override gate(identity: unknown): boolean {
    this.asked += 1;
    const failure = this.fails((identity as { readonly tenant: number }).tenant);
    if (failure !== undefined) throw failure;
    return true;
  }
}

const asking = (authorization: AskingOwner) =>
  depot({}, () => ({
    events: { parcel: { model: Parcel, show: ['id'], authorization, narrowedBy: ['tenantId'] } },
    deliver: new Webhooks({ ...inner, schedule: [0, 1] }),
  }));

test('What a rule asks that is down for a moment delays events, and loses none', async () => {
  receiver.clear();
  const rule = new AskingOwner();
  await during(asking(rule), async (application) => {
    await subscribe(application, of(1), receiver.url);
    rule.down.set(1, new Error('fetch failed'));
    const before = rule.asked;
    const ids = await make(application, 2);
    await untilTrue(() => rule.asked > before + 1);
    rule.down.clear();
    const all = await receiver.until(2);
    expect(all.map(({ event }) => event.data['id'])).toEqual(ids);
  });
});

test('A rule that fails for good for some claims holds the events of nobody else', async () => {
  receiver.clear();
  const rule = new AskingOwner();
  await during(asking(rule), async (application) => {
    await subscribe(application, of(1), `${receiver.url}/one`);
    for (const user of ['a', 'b', 'c']) await subscribe(application, of(2, user), `${receiver.url}/${user}`);
    rule.down.set(2, new Error('no such group'));
    await make(application, 1);
    await receiver.until(1);
    // Once they are known for it nobody waits for them.
    const before = rule.asked;
    await make(application, 1);
    const all = await receiver.until(2);
    expect(rule.asked - before).toBeLessThanOrEqual(8);
    expect(all.map(({ path }) => path)).toEqual(['/one', '/one']);
  });
});

test('Rules that fail now for one and then for another hold events for a while, and not for ever', async () => {
  receiver.clear();
  const rule = new AskingOwner();
  await during(asking(rule), async (application) => {
    await subscribe(application, of(1), `${receiver.url}/one`);
    for (const tenant of [2, 3]) await subscribe(application, of(tenant), `${receiver.url}/other`);
    let isSecond = false;
    // Each answers every other time: neither fails twice in a row.
    rule.fails = (tenant) => {
      if (tenant === 1) isSecond = !isSecond;
      return tenant === (isSecond ? 2 : 3) ? new Error('fetch failed') : undefined;
    };
    await make(application, 1);
    await receiver.until(1);
    expect(receiver.all().map(({ path }) => path)).toEqual(['/one']);
    expect(rule.asked).toBeLessThanOrEqual(20);
  });
});

test('While events cannot be handed on, what is due is sent', async () => {
  receiver.clear();
  const rule = new AskingOwner();
  await during(asking(rule), async (application) => {
    const { id } = await subscribe(application, of(1), receiver.url);
    rule.down.set(1, Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    const before = rule.asked;
    await make(application, 1);
    await untilTrue(() => rule.asked > before + 1);
    const { status } = await application.request().post(`/webhooks/${id}/test`).set(of(1));
    expect(status).toBe(200);
    const [first] = await receiver.until(1);
    expect(first?.event.type).toBe('webhook.test');
    // It is down for as long as it likes: this is no failure of the rule's.
    for (const failure of [
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' }),
      }),
      new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    ]) {
      rule.down.set(1, failure);
      const then = rule.asked;
      await soon(async () => {
        await application.request().post('/events/replay?from=1').set(operator);
        return rule.asked > then + 6 ? true : undefined;
      });
    }
    rule.down.clear();
    const all = await receiver.until(2);
    expect(all[1]?.event.type).toBe('parcel.created');
  });
});

test('A function that is told of disabled subscriptions, and does not end, holds no delivery', async () => {
  receiver.clear();
  const disabled: DisabledSubscription[] = [];
  const told = Promise.withResolvers<unknown>();
  const webhooks = new Webhooks({
    ...inner,
    schedule: [0, 1],
    onDisabled: (one) => {
      disabled.push(one);
      return told.promise;
    },
  });
  await during(
    depot({}, () => ({ deliver: webhooks })),
    async (application) => {
      await subscribe(application, of(1, 'gone'), `${receiver.url}/gone`);
      await subscribe(application, of(1, 'there'), `${receiver.url}/there`);
      receiver.answer = ({ path }, response) => response.writeHead(path === '/gone' ? 410 : 200).end();
      await make(application, 1);
      await untilTrue(() => disabled.length > 0);
      const isThere = ({ path }: { readonly path: string }) => path === '/there';
      await receiver.until(1, isThere);
      await make(application, 1);
      await receiver.until(2, isThere);
      await soon(
        async () =>
          (await sql(application, "select 1 from webhook_delivery where state = 'delivered' offset 1"))[0],
      );
      // Neither does it hold the end for longer than the time of a shutdown.
      const begun = performance.now();
      await webhooks.close(300);
      expect(performance.now() - begun).toBeLessThan(5000);
      told.resolve(undefined);
    },
  );
});

test('Dead deliveries are tried anew whatever their number, and those of subscriptions that are switched off are not', async () => {
  receiver.clear();
  await during(depot(), async (application) => {
    const on = await subscribe(application, of(1, 'on'), receiver.url);
    const off = await subscribe(application, of(1, 'off'), receiver.url);
    await application.request().patch(`/webhooks/${off.id}`).set(of(1, 'off')).send({ active: false });
    await sql(
      application,
      `insert into webhook_delivery (subscription_id, event_id, type, model, record_id, body, state, tries, due_at, created_at, ended_at)
        select s, gen_random_uuid(), 'parcel.created', 'Parcel', n::text, '{"data": {}}', 'dead', 4, now(), now(), now()
        from unnest(array[${on.id}, ${off.id}]) s, generate_series(1, 1500) n`,
    );
    const { body } = await application.request().post('/webhooks/retry').set(operator);
    expect(body.data).toEqual({ retried: 1500 });
    const [left] = await sql(
      application,
      `select count(*)::int as due from webhook_delivery where state = 'dead' and subscription_id = ${off.id}`,
    );
    expect(left?.due).toBe(1500);
    await application.request().patch(`/webhooks/${on.id}`).set(of(1, 'on')).send({ active: false });
  });
});
