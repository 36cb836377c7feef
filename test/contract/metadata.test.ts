import { expect } from '@jest/globals';
import { defineEntity, p, type Opt } from '@mikro-orm/core';
import { Create, Update } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';
import type { Subject } from '../support/contract.js';

/** Everything that metadata says of a column by itself. */
const Member = defineEntity({
  name: 'Member',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => crypto.randomUUID()),
    name: p.string(),
    nick: p.string().length(5).nullable(),
    badge: p.string().columnType('varchar(4)').nullable(),
    mail: p.string().unique().nullable(),
    level: p.integer().default(1),
    active: p.boolean().default(false),
    joinedOn: p.date().defaultRaw('current_date'),
    motto: p.text().nullable(),
    invitation: p.uuid().nullable(),
    rank: p.enum(['gold', 'silver']).nullable(),
    stars: p.enum([1, 2, 3]).nullable(),
    settings: p.json<object>().nullable(),
    desk: p.smallint().nullable(),
    initials: p.string().$type<Opt<string>>().length(2).generated('(substr(name, 1, 2)) stored'),
    registeredAt: p.datetime().onCreate(() => new Date()),
    changedAt: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
});

const writeableColumnNames = [
  'name',
  'nick',
  'badge',
  'mail',
  'level',
  'active',
  'joinedOn',
  'motto',
  'invitation',
  'rank',
  'stars',
  'settings',
  'desk',
] as const;

const members = {
  modelClass: Member,
  readableColumnNames: [...writeableColumnNames, 'initials'],
  writeableColumnNames,
} as const;
const dates = { ...members, readableColumnNames: ['name', 'registeredAt', 'changedAt'] } as const;

const { contract } = service(
  {
    entities: [Member],
    endpoints: [
      new Create({ ...members, url: 'members' }),
      new Create({ ...dates, url: 'dates' }),
      new Update({ ...dates, url: 'dates/:id' }),
    ],
  },
  everyDatabase,
);

const member = ({ request }: Subject) => ({
  send: () => request().post('/members'),
  beside: { name: 'Ann' },
});
const long = new Date('2020-01-01T00:00:00Z');

contract('A length is a MaximumLength', async (subject) => {
  await expectRefused(member(subject), 'nick', ['"Annabe"'], 'value should be at most 5 characters long');
  await expectAccepted(member(subject), 'nick', { '"Annab"': 'Annab' });
});

contract("A length in the property's database type is a MaximumLength", async (subject) => {
  await expectRefused(member(subject), 'badge', ['"12345"'], 'value should be at most 4 characters long');
  await expectAccepted(member(subject), 'badge', { '"1234"': '1234' });
});

contract('A text without a length has no MaximumLength', async (subject) => {
  const text = 'x'.repeat(100_000);
  await expectAccepted(member(subject), 'motto', { [`"${text}"`]: text });
});

contract('unique is Unique', async ({ request, save }) => {
  await save(Member, { name: 'Ann', mail: 'ann@example.org' });
  const message = "Invalid value for 'mail': the given value already exists, and must be unique.";
  const answer = await request().post('/members').send({ name: 'Bob', mail: 'ann@example.org' });
  expectAnswer(answer, 400, inputErrors({ mail: message }));
});

contract('A column that is not nullable and has no default is Required', async ({ request }) => {
  expectAnswer(await request().post('/members').send({}), 400, inputErrors({ name: "'name' is required." }));
});

contract('A column with a default is not Required', async ({ request }) => {
  const { status, body } = await request().post('/members').send({ name: 'Ann' });
  expect([status, body.data]).toMatchObject([201, { level: 1, active: false }]);
  expect(body.data.joined_on).toMatch(/^\d{4}-\d\d-\d\d$/);
});

contract('A column with a default takes another value, and no null', async (subject) => {
  await expectAccepted(member(subject), 'level', { 0: 0, 7: 7 });
  await expectAccepted(member(subject), 'active', { true: true });
  await expectRefused(member(subject), 'level', ['null'], "'level' is required.");
});

contract('A nullable column is not Required', async ({ request }) => {
  const { status, body } = await request().post('/members').send({ name: 'Ann' });
  expect([status, body.data]).toMatchObject([201, { nick: null, motto: null, rank: null, settings: null }]);
});

contract('A column that the database generates is not Required', async ({ request }) => {
  const { status, body } = await request().post('/members').send({ name: 'Ann' });
  expect([status, body.data.initials]).toEqual([201, 'An']);
});

contract('A uuid property is a Uuid column', async (subject) => {
  const uuid = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';
  await expectRefused(member(subject), 'invitation', ['"x"', '5'], 'value should be a UUID');
  await expectAccepted(member(subject), 'invitation', { [`"${uuid}"`]: uuid });
});

contract('An enum property is a Select column', async (subject) => {
  await expectRefused(member(subject), 'rank', ['"bronze"', '1'], 'value should be one of: gold, silver');
  await expectRefused(member(subject), 'stars', ['0', '4', '"1"'], 'value should be one of: 1, 2, 3');
  await expectAccepted(member(subject), 'rank', { '"gold"': 'gold' });
  await expectAccepted(member(subject), 'stars', { 3: 3 });
});

contract('A json property is a Json column', async (subject) => {
  await expectAccepted(member(subject), 'settings', {
    '{"inPrint":[1]}': { inPrint: [1] },
    '"a"': 'a',
    5: 5,
  });
});

contract('A smallint property is an Integer column of its range', async (subject) => {
  await expectRefused(member(subject), 'desk', ['32768'], 'value should be between -32768 and 32767');
  await expectAccepted(member(subject), 'desk', { 32767: 32767 });
});

contract('A date with onCreate is a Created column', async ({ request, save }) => {
  const before = Date.now();
  const { body } = await request().post('/dates').send({ name: 'Ann' });
  expect(Date.parse(body.data.registered_at)).toBeGreaterThan(before - 1000);
  const { id } = await save(Member, { name: 'Bob', registeredAt: long });
  const updated = await request().patch(`/dates/${id}`).send({ name: 'Rob' });
  expect(updated.body.data).toMatchObject({ name: 'Rob', registered_at: '2020-01-01T00:00:00+00:00' });
});

contract('A date with onUpdate is an Updated column', async ({ request, save }) => {
  const before = Date.now();
  const { id } = await save(Member, { name: 'Bob', registeredAt: long, changedAt: long });
  const unchanged = {
    name: 'Bob',
    registered_at: '2020-01-01T00:00:00+00:00',
    changed_at: '2020-01-01T00:00:00+00:00',
  };
  expectAnswer(await request().patch(`/dates/${id}`).send({}), 200, success(unchanged));
  const { body } = await request().patch(`/dates/${id}`).send({ name: 'Rob' });
  expect(Date.parse(body.data.changed_at)).toBeGreaterThan(before - 1000);
});
