import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhooks, type EventMessage } from '@nest-endpoints/events';
import { Webhook } from 'standardwebhooks';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { during } from '../support/during.js';
import { make, soon, sql, withBoss } from './events.during.js';
import { depot, of, operator, subscribe } from './events.parcels.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('A function gets each event in order, and again that which has failed alone, in the form of CloudEvents', async () => {
  const told: EventMessage[] = [];
  const deliver = (event: EventMessage) => {
    told.push(event);
    if (told.length === 2) throw new Error('Not now');
  };
  await during(
    depot({}, () => ({ deliver, format: 'cloudevents' })),
    async (application) => {
      const ids = await make(application, 3);
      const last = () => told.at(-1) as { subject: string } | undefined;
      await soon(async () => {
        await application.request().get('/parcels').set(of(1));
        return last()?.subject === String(ids[2]) ? true : undefined;
      });
      const [first, second, third] = ids.map(String);
      expect(told.map((event) => (event as { subject?: string }).subject)).toEqual([
        first,
        second,
        second,
        third,
      ]);
      expect(new Set(told.map(({ id }) => id)).size).toBe(3);
      expect(told[0]).toEqual({
        specversion: '1.0',
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/),
        source: '/parcel',
        type: 'parcel.created',
        subject: String(ids[0]),
        time: expect.stringMatching(/^20.*Z$/),
        datacontenttype: 'application/json',
        data: { id: ids[0], name: '0', weight: null, count: null },
      });
    },
  );
});

test('A replay goes back alone: what waits is not skipped', async () => {
  const told: unknown[] = [];
  let isReady = false;
  const deliver = ({ data }: EventMessage) => {
    if (!isReady) throw new Error('Not now');
    told.push(data['id']);
  };
  await during(
    depot({}, () => ({ deliver })),
    async (application) => {
      const ids = await make(application, 3);
      const replay = async (from: string) => {
        const { body } = await application.request().post('/events/replay').query({ from }).set(operator);
        return body.data as unknown;
      };
      const {
        lag: _lag,
        held: _held,
        ...position
      } = (await application.request().get('/events/status').set(operator)).body.data;
      for (const from of ['-1', '', '2027-05-01T10:00:00', '2027-02-31T10:00:00Z', '0000-01-01T00:00:00Z'])
        expect([from, await replay(from)]).toEqual([from, []]);
      for (const from of ['3', '2000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])
        expect([from, await replay(from)]).toEqual([from, position]);
      isReady = true;
      await soon(async () => {
        await sql(application, 'select 1');
        return told.length >= 3 ? true : undefined;
      });
      expect(told).toEqual(ids);
    },
  );
});

test('Webhooks in the form of CloudEvents have the id of the event in their body', async () => {
  receiver.clear();
  await during(
    depot({}, () => ({ format: 'cloudevents' })),
    async (application) => {
      const { id, secret } = await subscribe(application, of(1), receiver.url);
      const [made] = await make(application, 1);
      await application.request().post(`/webhooks/${id}/test`).set(of(1));
      const all = await receiver.until(2);
      const common = {
        specversion: '1.0',
        time: expect.stringMatching(/^20.*Z$/),
        datacontenttype: 'application/json',
      };
      const bodyOf = (type: string) => JSON.parse(all.find(({ event }) => event.type === type)?.body ?? '{}');
      expect(bodyOf('parcel.created')).toEqual({
        ...common,
        id: expect.any(String),
        source: '/parcel',
        type: 'parcel.created',
        subject: String(made),
        data: { id: made, name: '0', weight: null, count: null },
      });
      expect(bodyOf('webhook.test')).toEqual({
        ...common,
        id: expect.any(String),
        source: '/webhooks',
        type: 'webhook.test',
        data: {},
      });
      for (const { body, headers } of all) {
        expect(headers['content-type']).toBe('application/cloudevents+json');
        expect(JSON.parse(body)).toMatchObject({ id: headers['webhook-id'] });
        const verify = () => new Webhook(secret).verify(body, headers as Record<string, string>);
        expect(verify).not.toThrow();
      }
    },
  );
});

test('pg-boss gets one job for each event, in the transaction in which the position moves', async () => {
  await withBoss(async (application, boss) => {
    const ids = await make(application, 3);
    // There is no queue yet: nothing is lost meanwhile.
    await soon(async () => (await sql(application, 'select 1 from change_record where id = 3'))[0]);
    await boss.createQueue('parcels');
    const jobs = await soon(async () => {
      const rows = await sql(
        application,
        `select data from pgboss.job where name = 'parcels' order by created_on, data->>'id'`,
      );
      return rows.length >= 3 ? rows : undefined;
    });
    expect(jobs.map(({ data }) => data?.data.id).toSorted()).toEqual(ids);
    // Handed on anew they are the jobs that are there.
    await application
      .request()
      .post('/events/replay?from=1')
      .set(of(0, 'root', { operator: 1 }));
    await make(application, 1);
    const all = await soon(async () => {
      const rows = await sql(application, `select id from pgboss.job where name = 'parcels'`);
      return rows.length >= 4 ? rows : undefined;
    });
    expect(all).toHaveLength(4);
  });
});

test('The events of one record come in order, though half of them fail once', async () => {
  receiver.clear();
  const failed = new Set<unknown>();
  receiver.answer = ({ headers }, response) => {
    const id = headers['webhook-id'];
    const fails = receiver.all().length % 2 === 0 && !failed.has(id);
    if (fails) failed.add(id);
    response.writeHead(fails ? 500 : 200).end();
  };
  const options = { ordered: 'record', schedule: [0, 1, 1, 1], perSubscription: 16 } as const;
  await during(depot(options), async (application) => {
    const { request } = application;
    await request()
      .post('/webhooks')
      .set(of(1))
      .send({ url: receiver.url, events: ['parcel.updated'] });
    const [id] = await make(application, 1);
    const count = 300;
    await sql(
      application,
      `insert into change_record (at, transaction, model, record_id, operation, before, after)
        select clock_timestamp(), pg_current_xact_id(), 'Parcel', '${id}', 'updated', jsonb_build_object('name', n - 1),
          jsonb_build_object('name', n::text) from generate_series(1, ${count}) n`,
    );
    await receiver.until(count);
    await soon(async () => {
      const [row] = await sql(
        application,
        `select count(*)::int as due from webhook_delivery where state = 'due'`,
      );
      return row?.due === 0 ? true : undefined;
    });
    const names = receiver
      .all()
      .filter(
        ({ headers }, index, all) =>
          all.findLastIndex((one) => one.headers['webhook-id'] === headers['webhook-id']) === index,
      )
      .map(({ event }) => Number(event.data['name']));
    expect(names).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(failed.size).toBeGreaterThan(30);
  });
}, 120_000);

test('What an address leads to is looked at for each try, and connected to as it was checked', async () => {
  receiver.clear();
  const asked: string[] = [];
  const answers = [[{ address: '192.88.98.1', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
  const resolve = (hostname: string) => {
    asked.push(hostname);
    return Promise.resolve(
      answers[asked.length - 1] ?? [
        { address: '1.1.1.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    );
  };
  const webhooks = () => new Webhooks({ schedule: [0, 1, 1], timeout: 200, allowHttp: true }, { resolve });
  await during(
    depot({}, () => ({ deliver: webhooks() })),
    async (application) => {
      const { port } = new URL(receiver.url);
      const url = 'http://rebound.example.org/';
      await application
        .request()
        .post('/webhooks')
        .set(of(1))
        .send({ url, events: ['parcel'] });
      // As if the port had been allowed.
      expect(port).not.toBe('');
      await make(application, 1);
      const errors: unknown[] = [];
      const dead = await soon(async () => {
        const [row] = await sql(application, 'select state, tries, last_error from webhook_delivery');
        if (row !== undefined && row.tries !== errors.length) errors.push(row.last_error);
        return row?.state === 'dead' ? row : undefined;
      });
      expect(asked).toEqual(Array.from({ length: 3 }, () => 'rebound.example.org'));
      expect(dead.last_error).toBe('The host has an address that is not of the public internet');
      expect(receiver.all()).toEqual([]);
    },
  );
});
