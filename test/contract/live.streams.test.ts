import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Authorization, Cors, List } from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { once, service } from '../support/contract.js';
import { documented, operationAt } from '../support/documents.js';
import { Listener } from '../support/listener.js';
import { Claims } from './claims.js';
import { board, Card, cards, has, listening, of, settled, Slip, slips, told } from './live.board.js';

/** The rights that somebody has by now. */
const rights = { isTaken: false, state: 'open' };

class Granted extends Authorization {
  override gate(): boolean {
    return !rights.isTaken;
  }

  override filterModel(): object {
    return { state: rights.state };
  }
}

const judged = {
  ...cards,
  authentication: new Claims(),
  authorization: new Granted(),
  live: { heartbeat: 1000 },
};

const { contract } = service(
  board({ maximumStreamsEach: 3, maximumStreams: 6, judgeEvery: 1000 }, [
    documented([
      new List({ ...slips, url: 'aged', live: { maximumAge: 2000 } }),
      new List({
        ...slips,
        url: 'titled',
        externalCasing: 'TitleCase',
        live: true,
        securityHeaders: [new Cors('*')],
      }),
      new List({ ...judged, url: 'judged' }),
    ]),
  ]),
  once,
);

const slip = (text: string, rank = 0) => ({ id: randomUUID(), text, rank });

contract('A change that is committed late is told, whatever came before it', async (subject) => {
  const { em } = subject;
  await listening(subject, [['/slips']], async (stream) => {
    await stream.until(told);
    const [late, early] = [slip('late'), slip('early')];
    const own = em().fork();
    await own.begin();
    await own.persist(own.create(Slip, late)).flush();
    await subject.save(Slip, early);
    await own.commit();
    await stream.until(({ events }) => events.length === 3);
    expect(stream.named('changed')).toEqual(expect.arrayContaining([{ data: late }, { data: early }]));
  });
});

contract(
  'A client that comes again hears what it missed, and has then what the list has',
  async (subject) => {
    const { request, save } = subject;
    const [gone, stays] = [
      await save(Card, { title: 'gone', tenant: 'a' }),
      await save(Card, { title: 'x', tenant: 'a' }),
    ];
    const other = await save(Card, { title: 'of another', tenant: 'b' });
    const first = await Listener.open(`${subject.url}/cards`, of('a'));
    await first.until(told);
    first.close();
    await request().delete(`/all-cards/${gone.id}`);
    await request().patch(`/all-cards/${stays.id}`).send({ title: 'y' });
    await request().patch(`/all-cards/${other.id}`).send({ title: 'changed' });
    const made = await save(Card, { title: 'new', tenant: 'a' });
    const again = { 'Last-Event-ID': first.lastId };
    await listening(subject, [['/cards', { ...of('a'), ...again }]], async (stream) => {
      const last = await settled(subject, stream, 'a');
      expect(stream.events.map(({ event }) => event)).not.toContain('snapshot');
      expect(stream.named('left')).toEqual([{ id: gone.id }]);
      const { body } = await request().get('/cards').set(of('a'));
      const heard = stream.named('changed').map((one) => (one as { data: { id: number } }).data);
      expect(heard.toSorted((one, two) => one.id - two.id)).toEqual(body.data);
      expect(heard.map(({ id }) => id).toSorted()).toEqual([stays.id, made.id, last].toSorted());
    });
  },
);

contract('An id of somebody else, of another list, or that was changed begins anew', async (subject) => {
  await subject.save(Card, { title: 'one', tenant: 'a' });
  const first = await Listener.open(`${subject.url}/cards`, of('a'));
  await first.until(told);
  first.close();
  const again = { 'Last-Event-ID': first.lastId };
  const asked = [
    ['/cards', { ...of('a'), 'X-Claims': JSON.stringify({ sub: 'somebody else', tenant: 'a' }), ...again }],
    ['/cards?state=open', { ...of('a'), ...again }],
    ['/cards', { ...of('b'), 'Last-Event-ID': `A${first.lastId.slice(1)}` }],
  ] as const;
  await listening(subject, asked, async (...streams) => {
    for (const stream of streams) {
      await stream.until(told);
      expect(stream.events.map(({ event }) => event)).toEqual(['reset', 'snapshot']);
    }
  });
});

contract('A stream of more records than it can remember begins anew', async (subject) => {
  const { status, body } = await subject.request().get('/slips?limit=61').set('Accept', 'text/event-stream');
  expect([status, body.error]).toEqual([400, 'A stream has at most 60 records']);
  const all = Array.from({ length: 50 }, (_, rank) => slip('first', rank));
  await subject.em().insertMany(Slip, all);
  await listening(subject, [['/slips']], async (stream) => {
    await stream.until(told);
    for (let rank = 51; rank <= 61; rank += 1) {
      await subject.save(Slip, slip('more', rank));
    }
    await stream.until(({ events }) => events.filter(({ event }) => event === 'snapshot').length === 2);
    const names = stream.events.map(({ event }) => event);
    expect(names.slice(names.indexOf('reset'))).toEqual(['reset', 'snapshot']);
    expect((stream.events.at(-1)?.data as { data: unknown[] }).data).toHaveLength(50);
  });
});

contract(
  'Whose rights are taken away hears nothing more, and whose rights change begins anew',
  async (subject) => {
    rights.isTaken = false;
    rights.state = 'open';
    await subject.save(Card, { title: 'one', tenant: 'a' });
    await listening(
      subject,
      [
        ['/judged', of('a')],
        ['/judged', of('b')],
      ],
      async (one, two) => {
        await one.until(told);
        await two.until(told);
        rights.state = 'done';
        await one.ended();
        expect(one.events.map(({ event }) => event).slice(-1)).toEqual(['reset']);
        expect(one.lastId).toBe('');
        await two.ended();
        const next = await Listener.open(`${subject.url}/judged`, of('a'));
        await next.until(told);
        expect(next.named('snapshot')).toEqual([{ data: [] }]);
        rights.isTaken = true;
        await next.ended();
        expect(next.retry).toBeGreaterThanOrEqual(1000);
        const refused = await Listener.open(`${subject.url}/judged`, of('a'));
        expect(refused.status).toBe(403);
        refused.close();
      },
    );
  },
);

contract('A stream ends with its token and with its age, and says when to come again', async (subject) => {
  const asked = [['/cards', of('a', { exp: Math.floor(Date.now() / 1000) + 3 })], ['/aged']] as const;
  await listening(subject, asked, async (...streams) => {
    for (const stream of streams) {
      await stream.ended();
      expect(stream.answer.complete).toBe(true);
      expect(stream.retry).toBeGreaterThanOrEqual(1000);
      expect(stream.retry).toBeLessThanOrEqual(5000);
      expect(stream.lastId).not.toBe('');
    }
  });
});

contract('A place that the log does not go back to begins anew', async (subject) => {
  const aged = await Listener.open(`${subject.url}/aged`);
  await aged.ended();
  await listening(subject, [['/aged', { 'Last-Event-ID': aged.lastId }]], async (stream) => {
    await stream.until(told);
    expect(stream.events.map(({ event }) => event)).toEqual(['reset', 'snapshot']);
  });
});

contract('Words of a stream are cased as all others', async (subject) => {
  const one = await subject.save(Slip, slip('one'));
  await listening(subject, [['/titled'], ['/titled?Snapshot=false']], async (whole, bare) => {
    await whole.until(told);
    await bare.until(told);
    await subject.em().transactional(async (own) => {
      own.remove(await own.findOneOrFail(Slip, one.id));
    });
    await whole.until(has('left'));
    expect(whole.events).toEqual([
      { event: 'snapshot', data: { Data: [{ Id: one.id, Text: 'one', Rank: 0 }] } },
      { event: 'left', data: { Id: one.id } },
    ]);
    expect(bare.events[0]).toEqual({ event: 'ping', data: {} });
  });
});

contract('More streams than are allowed to one, or to all, are a 429', async (subject) => {
  const path = '/cards';
  const six = [...['a', 'a', 'a', 'b', 'b', 'b'].map((tenant) => [path, of(tenant)] as const)];
  const tooMany = async (tenant: string): Promise<readonly unknown[]> => {
    const { status, body, headers } = await subject
      .request()
      .get(path)
      .set(of(tenant))
      .set('Accept', 'text/event-stream');
    return [status, body.error, headers['retry-after']];
  };
  await listening(subject, six.slice(0, 3), async () => {
    expect(await tooMany('a')).toEqual([429, 'Too Many Requests', '5']);
  });
  await listening(subject, six, async (...streams) => {
    for (const stream of streams) await stream.until(told);
    expect(await tooMany('c')).toEqual([429, 'Too Many Requests', '5']);
    streams[0]?.close();
    // The place is free once the service knows that nobody reads.
    for (let status: unknown = 429; status === 429;) {
      const next = await Listener.open(`${subject.url}${path}`, of('c'));
      ({ status } = next);
      next.close();
    }
  });
});

contract('A stream that has nothing to tell gives a sign of life', async (subject) => {
  rights.isTaken = false;
  await listening(subject, [['/judged', of('a')]], async (stream) => {
    const begun = performance.now();
    await stream.until(has('ping'));
    expect(performance.now() - begun).toBeGreaterThanOrEqual(900);
  });
});

contract('A client that reads nothing is cut with a reset, and holds 256 KiB at most', async (subject) => {
  const { em } = subject;
  await listening(subject, [['/slips']], async (stream) => {
    await stream.until(told);
    stream.answer.pause();
    const text = 'x'.repeat(500_000);
    const one = await subject.save(Slip, slip(''));
    const watching = await Listener.open(`${subject.url}/slips/${one.id}`);
    await watching.until(told);
    // As much as the operating system takes for a client that does not read, and some more.
    for (let rank = 1; rank <= 30; rank += 1) {
      watching.forget();
      await em().transactional(async (own) => {
        (await own.findOneOrFail(Slip, one.id)).text = `${text}${rank}`;
      });
      await watching.until(has('changed'));
    }
    watching.close();
    stream.answer.resume();
    await stream.ended();
    expect(stream.answer.complete).toBe(true);
    expect(stream.events.at(-1)?.event).toBe('reset');
    expect(stream.lastId).toBe('');
    expect(stream.events.length).toBeLessThan(30);
  });
});

contract('Scripts of other origins may send where they go on', async ({ request }) => {
  const { headers } = await request()
    .options('/titled')
    .set('Origin', 'https://a.example')
    .set('Access-Control-Request-Method', 'GET')
    .set('Access-Control-Request-Headers', 'last-event-id');
  expect(headers['access-control-allow-headers']).toContain('Last-Event-ID');
});

contract('Documents tell of the stream beside the page', async ({ request }) => {
  const { body } = await request().get('/schema');
  const { responses, parameters } = operationAt(body, 'get', '/judged');
  expect(Object.keys(responses['200']?.content)).toEqual(['application/json', 'text/event-stream']);
  expect(responses['200']?.content['text/event-stream'].schema.type).toBe('string');
  expect(responses).toHaveProperty('429');
  const told = parameters.map(({ name, in: place }) => `${place} ${name}`);
  expect(told).toEqual(expect.arrayContaining(['query snapshot', 'header Last-Event-ID']));
});

test('A service that stops ends its streams, and says when to come again', async () => {
  const application = await startApplication('express', 'postgresql', board());
  const stream = await Listener.open(`${application.url}/slips`);
  await stream.until(told);
  await application.close();
  await stream.ended();
  expect(stream.answer.complete).toBe(true);
  expect(stream.retry).toBeGreaterThanOrEqual(1000);
});
