import { expect } from '@jest/globals';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import type { Listener } from '../support/listener.js';
import { followRecords } from '@nest-endpoints/live/client';
import { board, Card, listening, of, settled } from './live.board.js';

interface Shown {
  readonly id: number;
  readonly title: string;
}

const { contract } = service(board(), bothPostgresql);

const save = async ({ save: saved }: Subject, title: string, tenant: string): Promise<number> =>
  (await saved(Card, { title, tenant })).id;

const ids = (data: unknown): unknown[] => (data as { data: { id: number }[] }).data.map(({ id }) => id);

const streamed = (text = ''): Response =>
  new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });

const changed = (listener: Listener): unknown[] =>
  listener.named('changed').map((one) => (one as { data: unknown }).data);

contract('A live list begins with its first page, and tells of records that change', async (subject) => {
  const { request } = subject;
  const first = await save(subject, 'first', 'a');
  await save(subject, 'of another', 'b');
  await listening(subject, [['/cards?limit=1', of('a')]], async (stream) => {
    await stream.until(({ lastId }) => lastId !== '');
    const { headers } = stream.answer;
    expect([
      stream.status,
      headers['content-type'],
      headers['cache-control'],
      headers['x-accel-buffering'],
    ]).toEqual([200, 'text/event-stream; charset=UTF-8', 'no-store', 'no']);
    expect(stream.events).toEqual([
      { event: 'snapshot', data: { data: [{ id: first, title: 'first', state: 'open' }] } },
    ]);
    const { body } = await request().post('/cards').set(of('a')).send({ title: 'second', state: 'open' });
    const second = Number(body.data.id);
    await request().patch(`/cards/${first}`).set(of('a')).send({ title: 'changed' });
    await settled(subject, stream, 'a');
    expect(changed(stream)).toEqual(
      expect.arrayContaining([
        { id: second, title: 'second', state: 'open' },
        { id: first, title: 'changed', state: 'open' },
      ]),
    );
    expect(stream.named('left')).toEqual([]);
  });
});

contract(
  'A record that leaves the filter, the tenant or the living is told once, as its id alone',
  async (subject) => {
    const { request } = subject;
    const [filtered, moved, deleted, kept] = [
      await save(subject, 'filtered', 'a'),
      await save(subject, 'moved', 'a'),
      await save(subject, 'deleted', 'a'),
      await save(subject, 'kept', 'a'),
    ];
    await listening(subject, [['/cards?state=open', of('a')]], async (stream) => {
      await stream.until(({ lastId }) => lastId !== '');
      expect(ids(stream.events[0]?.data)).toEqual([filtered, moved, deleted, kept]);
      await request().patch(`/all-cards/${filtered}`).send({ state: 'done' });
      await request().patch(`/all-cards/${moved}`).send({ tenant: 'b' });
      await request().delete(`/all-cards/${deleted}`);
      await settled(subject, stream, 'a');
      // What is told of them once more is told to nobody.
      await request().patch(`/all-cards/${filtered}`).send({ title: 'again' });
      await request().patch(`/all-cards/${moved}`).send({ title: 'again' });
      await settled(subject, stream, 'a');
      const left = stream.named('left');
      expect(left).toHaveLength(3);
      expect(left).toEqual(expect.arrayContaining([{ id: filtered }, { id: moved }, { id: deleted }]));
    });
  },
);

contract('What one tenant hears, another does not', async (subject) => {
  const asked = ['a', 'b'].map((tenant) => ['/cards', of(tenant)] as const);
  await listening(subject, asked, async (one, two) => {
    await one.until(({ lastId }) => lastId !== '');
    await two.until(({ lastId }) => lastId !== '');
    const own = [await save(subject, 'of a', 'a'), await save(subject, 'of b', 'b')];
    own.push(await settled(subject, one, 'a'), await settled(subject, two, 'b'));
    const heard = (stream: Listener): unknown[] => changed(stream).map((one) => (one as Shown).id);
    expect(heard(one).toSorted()).toEqual([own[0], own[2]]);
    expect(heard(two).toSorted()).toEqual([own[1], own[3]]);
  });
});

contract('A record that a stream was not sent does not leave it', async (subject) => {
  const { request } = subject;
  const hidden = await save(subject, 'hidden', 'b');
  const behind = await save(subject, 'behind the page', 'a');
  const asked = [
    ['/cards?snapshot=false', of('a')],
    ['/cards?limit=1&direction=desc', of('a')],
  ] as const;
  await save(subject, 'on the page', 'a');
  await listening(subject, asked, async (bare, paged) => {
    await bare.until(({ lastId }) => lastId !== '');
    await paged.until(({ lastId }) => lastId !== '');
    expect(bare.events.map(({ event }) => event)).toEqual(['ping']);
    await request().delete(`/all-cards/${hidden}`);
    await request().patch(`/all-cards/${behind}`).send({ state: 'done', tenant: 'b' });
    for (const stream of [bare, paged]) {
      await settled(subject, stream, 'a');
      expect(stream.named('left')).toEqual([]);
    }
  });
});

contract('A live Get tells of its record, and that it is gone', async (subject) => {
  const { request, em } = subject;
  const id = await save(subject, 'one', 'a');
  await save(subject, 'other', 'a');
  await listening(subject, [[`/cards/${id}`, of('a')]], async (stream) => {
    await stream.until(({ lastId }) => lastId !== '');
    expect(stream.named('snapshot')).toEqual([{ data: { id, title: 'one', state: 'open' } }]);
    await request()
      .patch(`/all-cards/${id + 1}`)
      .send({ title: 'not mine' });
    await em().transactional(async (own) => {
      const card = await own.findOneOrFail(Card, id);
      card.title = 'by a service';
    });
    await stream.until(({ events }) => events.length > 1);
    await request().delete(`/all-cards/${id}`);
    await stream.until(({ events }) => events.length > 2);
    expect(stream.events.slice(1)).toEqual([
      { event: 'changed', data: { data: { id, title: 'by a service', state: 'open' } } },
      { event: 'left', data: { id } },
    ]);
  });
});

contract(
  'What a stream cannot be is refused as any request, and JSON is what others get',
  async (subject) => {
    const { request } = subject;
    const id = await save(subject, 'one', 'a');
    const refused = async (path: string, headers: Readonly<Record<string, string>> = of('a')) => {
      const { status, body } = await request().get(path).set(headers).set('Accept', 'text/event-stream');
      return [status, body.error];
    };
    expect(await refused('/cards', {})).toEqual([401, 'Not Authenticated']);
    expect(await refused(`/cards/${id}`, of('b'))).toEqual([404, 'Not Found']);
    expect(await refused('/cards?start=1')).toEqual([400, 'A stream begins with the first page']);
    expect(await refused('/cards?snapshot=no')).toEqual([400, "'snapshot' must be true or false"]);
    expect(await refused('/cards?sort=tenant')).toEqual([400, "'sort' must be one of: id, title"]);
    expect(await refused('/cards', { ...of('a'), 'X-Claims': '{}' })).toEqual([403, 'Not Authorized']);
    for (const accept of [
      '*/*',
      'application/json',
      'text/event-stream;q=0',
      'application/json, text/event-stream;q=0.5',
    ]) {
      const { status, headers, body } = await request().get('/cards').set(of('a')).set('Accept', accept);
      expect([status, headers['vary'], body.data]).toEqual([
        200,
        'Accept',
        [{ id, title: 'one', state: 'open' }],
      ]);
    }
    expect((await request().head('/cards').set(of('a')).set('Accept', 'text/event-stream')).status).toBe(200);
  },
);

contract('A list that is not live answers everybody with JSON', async (subject) => {
  const { request } = subject;
  await save(subject, 'one', 'a');
  const { status, headers, body } = await request().get('/all-cards').set('Accept', 'text/event-stream');
  expect([status, headers['vary'], body.status]).toEqual([200, undefined, 'success']);
});

contract('The client follows a list over the connections that it needs', async (subject) => {
  const { request, url } = subject;
  const first = await save(subject, 'first', 'a');
  const stop = new AbortController();
  const tokens: number[] = [];
  const sent: (string | undefined)[] = [];
  // The first connection is cut off when its first records are there.
  const cut: typeof fetch = async (input, init) => {
    const headers = init?.headers as Record<string, string>;
    sent.push(headers['Last-Event-ID']);
    if (sent.length > 1) return fetch(input, init);
    const own = new AbortController();
    const { body, status, headers: said } = await fetch(input, { ...init, signal: own.signal });
    const cutting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        controller.enqueue(bytes);
        own.abort();
      },
    });
    return new Response(body?.pipeThrough(cutting), { status, headers: said });
  };
  const headers = () => {
    tokens.push(tokens.length);
    return of('a');
  };
  const shown: (readonly Shown[])[] = [];
  const options = { headers, fetch: cut, signal: stop.signal };
  for await (const records of followRecords<Shown>(`${url}/cards`, options)) {
    shown.push(records);
    if (shown.length === 1) await request().post('/all-cards').send({ title: 'second', tenant: 'a' });
    if (records.length === 2) stop.abort();
  }
  expect(shown[0]?.map(({ id }) => id)).toEqual([first]);
  expect(shown.at(-1)?.map(({ title }) => title)).toEqual(['first', 'second']);
  expect([sent.length, sent[0], typeof sent[1]]).toEqual([2, undefined, 'string']);
  expect(tokens).toEqual([0, 1]);
  const refused = followRecords(`${url}/cards`)[Symbol.asyncIterator]().next();
  await expect(refused).rejects.toThrow(expect.objectContaining({ name: 'LiveRefused', status: 401 }));
});

contract('The client forgets what left, and what a reset says to forget', async ({ url }) => {
  const stop = new AbortController();
  const texts = [
    'retry: 1\n\nevent: snapshot\ndata: {"data":[{"id":1},{"id":2}]}\n\nid: A\n\nevent: left\ndata: {"id":1}\n\n',
    'event: reset\ndata: {}\n\nid:\n\nevent: snapshot\r',
    'event: snapshot\ndata: {"data":[\ndata: {"id":3}]}\n\n: a comment\nevent: ping\ndata: {}\n\n',
  ];
  const asked: unknown[] = [];
  const scripted: typeof fetch = (_input, init) => {
    asked.push((init?.headers as Record<string, string>)['Last-Event-ID']);
    return Promise.resolve(streamed(texts.shift()));
  };
  const shown: unknown[] = [];
  for await (const records of followRecords(url, { fetch: scripted, signal: stop.signal })) {
    shown.push(records);
    if (texts.length === 0) stop.abort();
  }
  expect(shown).toEqual([[{ id: 1 }, { id: 2 }], [{ id: 2 }], [{ id: 3 }]]);
  expect(asked).toEqual([undefined, 'A', undefined]);
});

contract('The client never waits longer than it is told to, whatever a service says', async ({ url }) => {
  const answers = [
    // More than a timer can wait, which would be no time at all.
    () => streamed('retry: 99999999999\n\n'),
    () => new Response('', { status: 503, headers: { 'Retry-After': '99999999999' } }),
    () => new Response('', { status: 503, headers: { 'Retry-After': '-1' } }),
    () => streamed('event: snapshot\ndata: {"data":[]}\n\n'),
  ];
  const times: number[] = [];
  const scripted: typeof fetch = () => {
    times.push(performance.now());
    return Promise.resolve(answers[times.length - 1]?.() ?? new Response('', { status: 403 }));
  };
  const records = followRecords(url, { fetch: scripted, maximumWait: 200 })[Symbol.asyncIterator]();
  expect((await records.next()).value).toEqual([]);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  for (const pause of pauses.slice(0, 2)) expect(pause).toBeGreaterThanOrEqual(195);
  expect(pauses[2]).toBeGreaterThanOrEqual(95);
});
