import { expect } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { Callable, EndpointGroup, type ObservedRequest } from '@nest-endpoints/core';
import { Controller, Get, HttpException } from '@nestjs/common';
import { everyDatabase, everyPlatform, once, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

@Controller('own')
class OwnController {
  @Get()
  answer(): string {
    return 'of the user';
  }
}

const endpoints = [
  books(),
  new Callable({ url: 'text', returnStandardResponse: false, toCall: () => 'text' }),
  new Callable({
    url: 'broken',
    toCall: () => {
      throw new Error('a secret of the database');
    },
  }),
  new Callable({
    url: 'teapot',
    toCall: () => {
      throw new HttpException('I am a teapot', 418);
    },
  }),
  new Callable({
    url: 'twice',
    toCall: async ({ em }) => {
      await em.execute('select 1');
      await em.transactional((inner) => inner.execute('select 2'));
      return 'asked';
    },
  }),
  new Callable({
    url: 'waits',
    toCall: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      }),
  }),
  new EndpointGroup({
    url: 'title',
    externalCasing: 'TitleCase',
    endpoints: [new Callable({ url: 'things/:id', toCall: ({ routingData }) => routingData })],
  }),
];

/** What was told, newest last. */
let ended: ObservedRequest[] = [];
const observer = { requestEnded: (request: ObservedRequest) => void ended.push(request) };
const faulty = {
  requestEnded: () => {
    throw new Error('no place to write to');
  },
};

/** A request is told of when its answer is out, which may be later than its client has it. */
const told = async (count = 1): Promise<ObservedRequest[]> => {
  while (ended.length < count) await turn();
  const all = ended;
  ended = [];
  return all;
};

const watched = { ...libraryWith(endpoints), controllers: [OwnController] };
const { contract } = service({ ...watched, root: { ...watched.root, observers: [observer] } }, everyPlatform);

contract('Every answer has the id of its request in X-Request-Id', async ({ request }) => {
  ended = [];
  for (const path of ['/books', '/books/none', '/nowhere', '/text', '/broken']) {
    const sent = await request().get(path).set('X-Request-Id', 'mine-7');
    expect(sent.headers['x-request-id']).toBe('mine-7');
    const { headers } = await request().get(path).set('X-Request-Id', 'not well\tformed');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
  const [first] = await told(10);
  expect(first?.requestId).toBe('mine-7');
});

contract('An observer hears of every request that an endpoint answers', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  ended = [];
  const answer = await request().get(`/books/${id}`).set('X-Request-Id', 'a');
  expect(answer.status).toBe(200);
  const [heard] = await told();
  expect(heard).toMatchObject({
    requestId: 'a',
    method: 'GET',
    route: '/books/:id',
    kind: 'Get',
    statusCode: 200,
    status: 'success',
    isComplete: true,
    statements: 1,
  });
  expect([...(heard?.stages.keys() ?? [])]).toEqual(['body', 'authenticate', 'authorize', 'handle']);
  expect(heard?.duration).toBeGreaterThan(heard?.statementTime ?? Infinity);
});

contract('An observer is told the status word of the envelope, whatever its casing', async ({ request }) => {
  ended = [];
  await request().post('/books').send({ nothing: 1 });
  await request().get('/books?limit=x');
  await request().get('/title/things/9');
  await request().get('/title/nothing');
  await request().get('/teapot');
  await request().get('/broken');
  expect((await told(6)).map(({ route, statusCode, status }) => [route, statusCode, status])).toEqual([
    ['/books', 400, 'input_errors'],
    ['/books', 400, 'client_error'],
    ['/title/things/:id', 200, 'success'],
    [undefined, 404, 'client_error'],
    ['/teapot', 418, 'client_error'],
    ['/broken', 500, 'failure'],
  ]);
});

contract('An observer hears of preflights and not of other controllers', async ({ request }) => {
  ended = [];
  expect((await request().get('/own')).text).toBe('of the user');
  await request().options('/books');
  expect((await told()).map(({ method, status }) => [method, status])).toEqual([['OPTIONS', 'client_error']]);
});

contract('An observer hears of a client that has gone', async ({ url }) => {
  ended = [];
  const leaving = new AbortController();
  const answer = fetch(`${url}/waits`, { signal: leaving.signal });
  setTimeout(() => {
    leaving.abort();
  }, 50);
  await expect(answer).rejects.toThrow('abort');
  const [heard] = await told();
  expect(heard).toMatchObject({
    statusCode: 499,
    status: 'client_error',
    isComplete: false,
    route: '/waits',
  });
});

const counted = service(
  { ...watched, root: { ...watched.root, observers: [observer] } },
  everyDatabase,
).contract;

counted('Statements are counted, those of the user too', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  ended = [];
  await request().get('/twice');
  await request().post('/books').send({ title: 'Persuasion' });
  await request().get('/books');
  await request().get('/text');
  const [twice, created, listed, text] = await told(4);
  expect(twice?.statements).toBe(2);
  expect(created?.statements).toBeGreaterThan(0);
  expect(listed?.statements).toBeGreaterThan(0);
  expect(text?.statements).toBe(0);
  for (const { statements, statementTime } of [twice, created, listed].filter((one) => one !== undefined))
    expect([statements > 0, statementTime > 0]).toEqual([true, true]);
});

counted('Statements of requests side by side are counted apart', async ({ request }) => {
  ended = [];
  await Promise.all(Array.from({ length: 20 }, (_, at) => request().get(at % 2 === 0 ? '/twice' : '/text')));
  expect((await told(20)).map(({ route, statements }) => `${route} ${statements}`).sort()).toEqual([
    ...Array.from({ length: 10 }, () => '/text 0'),
    ...Array.from({ length: 10 }, () => '/twice 2'),
  ]);
});

const failing = service(
  { ...watched, root: { ...watched.root, observers: [faulty, observer] } },
  once,
).contract;

failing('An observer that fails harms neither answers nor other observers', async ({ request, log }) => {
  ended = [];
  expect((await request().get('/text').set('X-Request-Id', 'b')).text).toBe('text');
  await told();
  expect(log.text('error')).toContain('An observer failed [b]: Error: no place to write to');
});

const logged = service({ ...watched, root: { ...watched.root, requestLog: true } }, everyPlatform).contract;

logged('With requestLog every request is a line in the log', async ({ request, log }) => {
  await request()
    .post('/books')
    .set({ 'X-Request-Id': 'c', Authorization: 'Bearer hush' })
    .send({ title: 'hush' });
  while (!log.text('log').includes('success')) await turn();
  const line = log.text('log');
  expect(line).toContain('POST /books success');
  for (const part of ["route: '/books'", "status: 'success'", 'duration: ', 'statements: ', "requestId: 'c'"])
    expect(line).toContain(part);
  expect(log.text()).not.toContain('hush');
});

logged(
  'With requestLog a refusal is a line too, and says nothing of what was sent',
  async ({ request, log }) => {
    await request().post('/books').send({ hush: 'hush' });
    await request().get('/hush');
    while (!log.text('log').includes('of no endpoint')) await turn();
    expect(log.text('log')).toContain('POST /books input_errors');
    expect(log.text('log')).toContain('GET of no endpoint client_error');
    expect(log.text()).not.toContain('hush');
  },
);

const timed = service({ ...watched, root: { ...watched.root, serverTiming: true } }, everyPlatform).contract;

timed('With serverTiming answers tell what took how long', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const { headers } = await request().get(`/books/${id}`);
  expect(headers['server-timing']).toMatch(
    /^body;dur=[\d.]+, authenticate;dur=[\d.]+, authorize;dur=[\d.]+, handle;dur=[\d.]+, sql;dur=[\d.]+;desc="1", total;dur=[\d.]+$/,
  );
  expect((await request().get('/nowhere')).headers['server-timing']).toMatch(/total;dur=[\d.]+$/);
  expect((await request().get('/own')).headers['server-timing']).toBeUndefined();
});

const silent = service(libraryWith(endpoints), once).contract;

silent(
  'Without requestLog and serverTiming neither log nor answers tell of requests',
  async ({ request, log }) => {
    const { headers } = await request().get('/books');
    expect(headers['server-timing']).toBeUndefined();
    expect(log.text('log')).toBe('');
  },
);
