import { expect } from '@jest/globals';
import { IdempotencyRecord } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { heard, Order, Receipt, shop } from './orders.js';

const { contract } = service(shop());

const tea = { item: 'tea', amount: 2 };

const post = ({ request }: Subject, path: string, key: string, body: object = tea) =>
  request().post(path).set('Idempotency-Key', key).send(body);

const other = clientError('The Idempotency-Key was sent with another request before');

contract('A Create that is sent again under its Idempotency-Key gets the first answer', async (subject) => {
  for (const url of ['orders', 'strict', 'accepted', 'titled', 'mapped', 'hooked']) {
    const before = await subject.count(Order);
    const body = url === 'titled' ? { Item: 'tea' } : tea;
    const first = await post(subject, `/${url}`, `"${url}"`, body);
    expect(first.status).toBe(url === 'accepted' ? 202 : 201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const again = await post(subject, `/${url}`, `"${url}"`, body);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([again.headers['etag'], again.headers['idempotency-replayed']]).toEqual([
      first.headers['etag'],
      'true',
    ]);
    expect(first.headers['etag']).toMatch(url === 'mapped' ? /^"1-/ : /^"1"$/);
    expect(await subject.count(Order)).toBe(before + 1);
  }
});

contract('The first answer is given whatever became of the record', async (subject) => {
  const first = await post(subject, '/orders', 'gone');
  await subject.request().delete('/orders/1');
  expect((await post(subject, '/orders', 'gone')).text).toBe(first.text);
  expect(await subject.count(Order)).toBe(0);
});

contract('Under another key, or none, the same Create makes another record', async (subject) => {
  await post(subject, '/orders', 'a');
  await post(subject, '/orders', 'b');
  for (const path of ['/orders', '/orders'])
    expect((await subject.request().post(path).send(tea)).status).toBe(201);
  expect(await subject.count(Order)).toBe(4);
  expect(await subject.count(IdempotencyRecord)).toBe(2);
});

contract('An endpoint without idempotency does not look at the key', async (subject) => {
  for (const key of ['same', 'same', 'no key, this'])
    expect((await post(subject, '/deaf', key)).status).toBe(201);
  expect(await subject.count(IdempotencyRecord)).toBe(0);
});

contract(
  'A key with another body is 409, client_error, with a sentence, and creates nothing',
  async (subject) => {
    await post(subject, '/orders', 'key');
    for (const body of [
      { item: 'tea' },
      { item: 'tea', amount: 3 },
      { ...tea, details: null },
      { amount: 'x' },
    ])
      expectAnswer(await post(subject, '/orders', 'key', body), 409, other);
    expectAnswer(await post(subject, '/orders?a=1', 'key'), 409, other);
    expect(await subject.count(Order)).toBe(1);
  },
);

contract('A number that JavaScript has not is no null under an Idempotency-Key', async ({ raw }) => {
  const sent = (key: string, body: string) =>
    raw('POST', '/orders', {
      body,
      headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
    });
  for (const first of ['null', '"Infinity"'])
    for (const second of ['null', '1e400', '-1e400', '"Infinity"']) {
      const key = `${first.length}${second.length}`;
      const body = (value: string) => `{"item":"tea","amount":2,"details":{"a":${value}}}`;
      expect((await sent(key, body(first))).status).toBe(201);
      const { status } = await sent(key, body(second));
      expect([first, second, status]).toEqual([first, second, first === second ? 201 : 409]);
    }
});

contract('Bodies are the same when they say the same', async (subject) => {
  const { raw } = subject;
  const sent = (body: string) =>
    raw('POST', '/orders', {
      body,
      headers: { 'Idempotency-Key': 'key', 'Content-Type': 'application/json' },
    });
  const first = await sent('{"item":"tea","amount":2,"details":{"a":[1,{"c":1,"b":2}],"d":"\\u00e9"}}');
  expect(first.status).toBe(201);
  const again = await sent(' { "details":{"d":"é","a":[1.0,{"b":2,"c":1}]},\n"amount":2e0, "item":"tea"}');
  expect([again.status, again.text]).toEqual([201, first.text]);
  const swapped = await sent('{"item":"tea","amount":2,"details":{"a":[{"c":1,"b":2},1],"d":"é"}}');
  expect(swapped.status).toBe(409);
});

contract('A key in quotes is the same as one without', async (subject) => {
  const first = await post(subject, '/orders', '8e03978e-40d5-43e8-bc93-6894a57f9324');
  const again = await post(subject, '/orders', '"8e03978e-40d5-43e8-bc93-6894a57f9324"');
  expect(again.text).toBe(first.text);
  await post(subject, '/orders', String.raw`"a\"b\\c"`);
  expect(await subject.count(Order)).toBe(2);
});

contract(
  'A key that is unreadable or too long is 400, client_error, with a sentence, and nothing is stored',
  async (subject) => {
    const sentence = clientError(
      'The header Idempotency-Key must be one key of 1 to 255 visible ASCII characters, best in double quotes',
    );
    const keys = [
      '',
      '""',
      '"a',
      'a"',
      'a b',
      '"a b"',
      'a,b',
      '"a", "b"',
      'a;b',
      'ключ',
      '"é"',
      String.raw`"\a"`,
    ];
    for (const key of [...keys, 'x'.repeat(256), `"${'x'.repeat(256)}"`]) {
      const headers = { 'Idempotency-Key': Buffer.from(key).toString('latin1') };
      const answer = await subject.raw('POST', '/orders', { headers, body: JSON.stringify(tea) });
      expectAnswer(answer, 400, sentence);
    }
    expect(await subject.count(Order)).toBe(0);
    expect(await subject.count(IdempotencyRecord)).toBe(0);
    for (const key of ['x'.repeat(255), `"${'y'.repeat(255)}"`, '!#$%&()*+-./:<=>?@[]^_`{|}~'])
      expect((await post(subject, '/orders', key)).status).toBe(201);
  },
);

contract('idempotency required makes a Create without a key 400, client_error', async (subject) => {
  const answer = await subject.request().post('/strict').send(tea);
  expectAnswer(answer, 400, clientError('The header Idempotency-Key is required'));
  expect(await subject.count(Order)).toBe(0);
});

contract('A Create that is refused leaves no key, and is judged anew', async (subject) => {
  heard.length = 0;
  const refused = inputErrors({ item: 'not today' });
  expectAnswer(await post(subject, '/moody', 'key'), 400, refused);
  expectAnswer(await post(subject, '/moody', 'key'), 400, refused);
  expect(await subject.count(IdempotencyRecord)).toBe(0);
  heard.push('today');
  expect((await post(subject, '/moody', 'key')).status).toBe(201);
  heard.length = 0;
  // Under the key nothing is judged any more.
  expect((await post(subject, '/moody', 'key')).status).toBe(201);
  expect(await subject.count(Order)).toBe(1);
});

contract('What the database refuses leaves no key, either', async (subject) => {
  await subject.save(Order, { item: 'tea', reference: 'r', details: null });
  const taken = "Invalid value for 'reference': the given value already exists, and must be unique.";
  const body = { item: 'tea', reference: 'r' };
  for (const key of ['key', 'key'])
    expectAnswer(await post(subject, '/orders', key, body), 400, inputErrors({ reference: taken }));
  await subject.request().delete('/orders/1');
  expect((await post(subject, '/orders', 'key', body)).status).toBe(201);
});

contract('A replay runs no functions of the life cycle and tells no listeners', async (subject) => {
  heard.length = 0;
  await post(subject, '/hooked', 'key');
  expect(heard).toEqual(['before', 'after', 'committed']);
  await post(subject, '/hooked', 'key');
  expect(heard).toEqual(['before', 'after', 'committed']);
});

contract('A key counts for one endpoint and its path parameters', async (subject) => {
  for (const path of ['/orders', '/strict', '/shops/a', '/shops/b'])
    expect((await post(subject, path, 'key')).headers['idempotency-replayed']).toBeUndefined();
  expect(await subject.count(Order)).toBe(4);
  for (const path of ['/orders', '/strict', '/shops/a', '/shops/b', '//shops//a/', '/shops/%61'])
    expect((await post(subject, path, 'key')).headers['idempotency-replayed']).toBe('true');
});

contract('A key counts for one method of a path', async (subject) => {
  const { raw } = subject;
  const sent = (method: string) =>
    raw(method, '/methods', { headers: { 'Idempotency-Key': 'key' }, body: JSON.stringify(tea) });
  const answers = [];
  for (const method of ['POST', 'PUT', 'PATCH', 'PUT', 'POST'])
    answers.push((await sent(method)).headers['idempotency-replayed']);
  expect(answers).toEqual([undefined, undefined, undefined, 'true', 'true']);
  expect(await subject.count(Order)).toBe(3);
});

contract('A key counts for one sender, whatever token he has', async (subject) => {
  const as = (claims: object) => post(subject, '/own/orders', 'key').set('X-Claims', JSON.stringify(claims));
  const isReplayed = async (claims: object) => (await as(claims)).headers['idempotency-replayed'] === 'true';
  expect(await isReplayed({ iss: 'a', sub: 'ann', exp: 1, jti: 'x' })).toBe(false);
  expect(await isReplayed({ iss: 'a', sub: 'ann', exp: 2, jti: 'y', scope: 'more' })).toBe(true);
  expect(await isReplayed({ iss: 'a', sub: 'bea' })).toBe(false);
  expect(await isReplayed({ iss: 'b', sub: 'ann' })).toBe(false);
  expect(await isReplayed({ user: 1, iat: 1 })).toBe(false);
  expect(await isReplayed({ user: 1, iat: 2 })).toBe(true);
  expect(await isReplayed({ user: 2 })).toBe(false);
  expect(await isReplayed({})).toBe(false);
  expect(await subject.count(Order)).toBe(6);
});

contract('What is stored of a request are hashes', async (subject) => {
  const { status } = await post(subject, '/orders', 'my-very-own-key', {
    ...tea,
    details: { pin: '1234 5678' },
  });
  const records = await subject.em().findAll(IdempotencyRecord);
  expect([status, records.length]).toEqual([201, 1]);
  const stored = JSON.stringify(records);
  expect(stored).not.toContain('my-very-own-key');
  expect(stored).not.toContain('1234 5678');
});

contract('An expired key counts as none', async (subject) => {
  const { em } = subject;
  await post(subject, '/orders', 'key');
  await em().nativeUpdate(IdempotencyRecord, {}, { expiresAt: new Date(Date.now() - 1000) });
  const second = await post(subject, '/orders', 'key', { item: 'coffee' });
  expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, undefined]);
  const again = await post(subject, '/orders', 'key', { item: 'coffee' });
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([second.text, 'true']);
  expect(await subject.count(Order)).toBe(2);
});

contract('A key is kept for a day', async (subject) => {
  const before = Date.now();
  await post(subject, '/orders', 'key');
  const [kept] = await subject.em().findAll(IdempotencyRecord);
  const time = Number(kept?.expiresAt) - 86_400_000;
  expect(time).toBeGreaterThanOrEqual(before - 1);
  expect(time).toBeLessThanOrEqual(Date.now() + 1);
});

contract('A replay of an answer without an ETag has none', async (subject) => {
  const first = await post(subject, '/receipts', 'key', { text: 'One' });
  const again = await post(subject, '/receipts', 'key', { text: 'One' });
  expect([first.headers['etag'], again.headers['etag'], again.text]).toEqual([
    undefined,
    undefined,
    first.text,
  ]);
  expect(await subject.count(Receipt)).toBe(1);
});

contract('A malformed body is refused as ever, whatever the key', async (subject) => {
  const sent = (body?: string) =>
    subject.raw('POST', '/orders', {
      headers: { 'Idempotency-Key': 'key' },
      ...(body === undefined ? {} : { body }),
    });
  expectAnswer(await sent('{'), 400, clientError('The request body is not valid JSON'));
  expectAnswer(await sent(), 400, clientError('A JSON body is required'));
  expect(await subject.count(IdempotencyRecord)).toBe(0);
});
