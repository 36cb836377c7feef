import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  CreatedByAuthorizationDataColumn,
  CreatedByColumn,
  CreatedByHeaderColumn,
  CreatedByIpColumn,
  CreatedByRoutingDataColumn,
  CreatedByUserAgentColumn,
  IntegerColumn,
  MinimumLength,
  Update,
  defineColumns,
  type RequestFacts,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Claims } from './claims.js';
import type { Subject } from '../support/contract.js';

/** The method and the path, from the platform's own request. */
class CreatedByPathColumn extends CreatedByColumn {
  readonly name = 'CreatedByPath';

  protected valueIn({ request }: RequestFacts): unknown {
    const { method, url } = request as { readonly method: string; readonly url: string };
    return `${method} ${url}`;
  }
}

const Remark = defineEntity({
  name: 'Remark',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    authorName: p.string().length(10).nullable(),
    level: p.integer().nullable(),
    channel: p.string().nullable(),
    shelf: p.string().nullable(),
    ip: p.string().nullable(),
    agent: p.string().length(12).nullable(),
    path: p.string().nullable(),
    secret: p.string().hidden().nullable(),
    inheritedClaim: p.string().nullable(),
    inheritedHeader: p.string().nullable(),
    inheritedParameter: p.string().nullable(),
  },
});

defineColumns(Remark, {
  authorName: { type: new CreatedByAuthorizationDataColumn('name'), validators: [new MinimumLength(2)] },
  level: { type: new CreatedByAuthorizationDataColumn('level', new IntegerColumn(0, 9)) },
  channel: { type: new CreatedByHeaderColumn('X-Channel') },
  shelf: { type: new CreatedByRoutingDataColumn('shelf') },
  ip: { type: new CreatedByIpColumn() },
  agent: { type: new CreatedByUserAgentColumn() },
  path: { type: new CreatedByPathColumn() },
  secret: { type: new CreatedByHeaderColumn('X-Secret') },
  inheritedClaim: { type: new CreatedByAuthorizationDataColumn('constructor') },
  inheritedHeader: { type: new CreatedByHeaderColumn('constructor') },
  inheritedParameter: { type: new CreatedByRoutingDataColumn('constructor') },
});

const remarkColumns = ['authorName', 'level', 'channel', 'shelf', 'ip', 'agent', 'path'] as const;
const remarks = {
  modelClass: Remark,
  readableColumnNames: ['id', 'text', ...remarkColumns],
  writeableColumnNames: ['text'],
} as const;
/** What custom rules and other endpoints saw. */
const seen: unknown[] = [];

const { contract } = service({
  entities: [Remark],
  endpoints: [
    new Create({ ...remarks, url: 'remarks', authentication: new Claims() }),
    new Create({ ...remarks, url: 'open' }),
    new Create({ ...remarks, url: 'shelves/:shelf/remarks' }),
    new Update({ ...remarks, url: 'remarks/:id' }),
    new Create({
      ...remarks,
      url: 'overridden',
      columnOverrides: {
        channel: { type: new CreatedByHeaderColumn('x-other') },
        shelf: { type: new CreatedByIpColumn() },
      },
    }),
    new Create({
      ...remarks,
      url: 'judged',
      inputValidationCallable: ({ requestData, ip }) => {
        seen.push(requestData, ip);
        return {};
      },
    }),
  ],
});

const unset = { author_name: null, level: null, channel: null, shelf: null, ip: '127.0.0.1', agent: null };

const remark = ({ request }: Subject, claims: unknown) =>
  request().post('/remarks').set('X-Claims', JSON.stringify(claims)).unset('User-Agent').send({ text: 'a' });

const created = async (sent: ReturnType<typeof remark>) => (await sent).body.data as Record<string, unknown>;

contract('CreatedByAuthorizationData sets a claim of the caller', async (subject) => {
  expect(await created(remark(subject, { name: 'Ann', level: 3 }))).toEqual({
    ...unset,
    id: 1,
    text: 'a',
    author_name: 'Ann',
    level: 3,
    path: 'POST /remarks',
  });
});

contract('CreatedByAuthorizationData takes own claims only', async (subject) => {
  const { body } = await subject.request().post('/open').send({ text: 'a' });
  expect(body.data).toMatchObject({ author_name: null, level: null });
  for (const claims of [null, 'name', 7, [], { name: null }])
    expect(await created(remark(subject, claims))).toMatchObject({ author_name: null, level: null });
});

contract('What every JavaScript object has is no claim, header or path parameter', async (subject) => {
  await remark(subject, {});
  const nothing = { inheritedClaim: null, inheritedHeader: null, inheritedParameter: null };
  expect(await subject.em().findOne(Remark, 1)).toMatchObject(nothing);
});

contract('A claim is judged by the type and the rules of its column', async (subject) => {
  const messages = new Map<unknown, object>([
    [{ name: 7 }, { author_name: 'value should be a string' }],
    [{ name: ['Ann'] }, { author_name: 'value should be a string' }],
    [{ name: 'A' }, { author_name: 'value should be at least 2 characters long' }],
    [{ name: 'A long name' }, { author_name: 'value should be at most 10 characters long' }],
    [{ name: 'A\0n' }, { author_name: 'value contains characters that cannot be stored' }],
    [{ level: 10 }, { level: 'value should be between 0 and 9' }],
    [
      { level: 'x', name: {} },
      { level: 'value should be an integer', author_name: 'value should be a string' },
    ],
  ]);
  for (const [claims, message] of messages)
    expectAnswer(await remark(subject, claims), 400, inputErrors(message as Record<string, string>));
});

contract('A claim that is text is read as its column would be written', async (subject) => {
  expect(await created(remark(subject, { level: '7' }))).toMatchObject({ level: 7 });
});

contract('CreatedByHeader sets a header', async ({ request }) => {
  const { body } = await request().post('/open').set('x-chaNNel', 'radio').send({ text: 'a' });
  expect(body.data).toMatchObject({ channel: 'radio' });
});

contract('CreatedByRoutingData sets a path parameter', async ({ request }) => {
  const { body } = await request().post('/shelves/a%20b/remarks').send({ text: 'a' });
  expect(body.data).toMatchObject({ shelf: 'a b' });
});

contract('CreatedByIp sets the address that the platform tells', async ({ request }) => {
  const { body } = await request().post('/open').set('X-Forwarded-For', '10.1.2.3').send({ text: 'a' });
  expect(body.data).toMatchObject({ ip: '127.0.0.1' });
});

contract('CreatedByUserAgent sets the User-Agent, cut to the length of the column', async ({ request }) => {
  for (const [agent, kept] of [
    ['curl/8', 'curl/8'],
    ['Mozilla/5.0 (X11)', 'Mozilla/5.0 '],
  ] as const) {
    const { body } = await request().post('/open').set('User-Agent', agent).send({ text: 'a' });
    expect(body.data).toMatchObject({ agent: kept });
  }
});

contract("A user's own CreatedBy column sets what its class says", async ({ request }) => {
  const { body } = await request().post('/open').send({ text: 'a' });
  expect(body.data).toMatchObject({ path: 'POST /open' });
});

contract('What the request does not say becomes null in a nullable column', async ({ request }) => {
  const { body } = await request().post('/open').unset('User-Agent').send({ text: 'a' });
  expect(body.data).toEqual({ ...unset, id: 1, text: 'a', path: 'POST /open' });
});

contract('A client cannot send what the service sets', async ({ request }) => {
  const answer = await request().post('/open').send({ text: 'a', ip: '1.2.3.4' });
  expectAnswer(answer, 400, inputErrors({ ip: 'Input column ip is not an allowed input column.' }));
});

contract('An Update leaves alone what a Create has set', async ({ request }) => {
  const { body } = await request().post('/open').set('X-Channel', 'radio').send({ text: 'a' });
  const updated = await request()
    .patch('/remarks/1')
    .set({ 'X-Channel': 'post', 'User-Agent': 'x' })
    .send({ text: 'b' });
  expectAnswer(updated, 200, success({ ...body.data, text: 'b' }));
});

contract('column_overrides takes another value from the request', async ({ request }) => {
  const sent = request().post('/overridden').set({ 'X-Channel': 'radio', 'X-Other': 'post' });
  expect((await sent.send({ text: 'a' })).body.data).toMatchObject({ channel: 'post', shelf: '127.0.0.1' });
});

contract('A hidden column is set too', async ({ request, em }) => {
  await request().post('/open').set('X-Secret', 'psst').send({ text: 'a' });
  expect(await em().findOne(Remark, 1)).toMatchObject({ secret: 'psst' });
});

contract('input_validation_callable sees what was sent, not what the service sets', async ({ request }) => {
  seen.length = 0;
  await request().post('/judged').set('X-Channel', 'radio').send({ text: 'a' });
  expect(seen).toEqual([{ text: 'a' }, '127.0.0.1']);
});
