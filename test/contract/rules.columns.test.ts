import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AfterColumn,
  BeforeColumn,
  Create,
  DatetimeColumn,
  RestfulApi,
  SiblingValidator,
  TimestampColumn,
  defineColumns,
  type SiblingContext,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import type { ApplicationOptions } from '../support/application.js';
import { everyDatabase, postgresqlOnly, service } from '../support/contract.js';
import type { Subject } from '../support/contract.js';

/** Not the same text as that of another column. */
class OtherThan extends SiblingValidator {
  readonly name = 'OtherThan';

  complaint(value: unknown, sibling: unknown, { siblingName }: SiblingContext): string | undefined {
    return value === sibling ? `value should differ from '${siblingName}'` : undefined;
  }

  complaintAboutSibling(value: unknown, sibling: unknown, context: SiblingContext): string | undefined {
    return this.complaint(value, sibling, context);
  }
}

const Voyage = defineEntity({
  name: 'Voyage',
  properties: {
    id: p.integer().primary().autoincrement(),
    startsOn: p.date().nullable(),
    endsOn: p.date().nullable(),
    boardsAt: p.datetime(3).nullable(),
    leavesAt: p.datetime(3).nullable(),
    opensAt: p.integer().nullable(),
    closesAt: p.datetime().nullable(),
    fewest: p.integer().nullable(),
    most: p.double().nullable(),
    cheapest: p.decimal('string').precision(30).scale(10).nullable(),
    dearest: p.decimal('string').precision(30).scale(10).nullable(),
    firstTicket: p.bigint('string').nullable(),
    lastTicket: p.bigint().nullable(),
    fromPort: p.string().lazy().nullable(),
    toPort: p.string().lazy().nullable(),
  },
});

defineColumns(Voyage, {
  startsOn: { validators: [new BeforeColumn('endsOn')] },
  leavesAt: {
    type: new DatetimeColumn({ precision: 'milliseconds' }),
    validators: [new AfterColumn('boardsAt')],
  },
  boardsAt: { type: new DatetimeColumn({ precision: 'milliseconds' }) },
  opensAt: { type: new TimestampColumn(), validators: [new BeforeColumn('closesAt')] },
  fewest: { validators: [new BeforeColumn('most')] },
  cheapest: { validators: [new BeforeColumn('dearest')] },
  lastTicket: { validators: [new AfterColumn('firstTicket')] },
  toPort: { validators: [new OtherThan('fromPort')] },
});

const columns = [
  'startsOn',
  'endsOn',
  'boardsAt',
  'leavesAt',
  'opensAt',
  'closesAt',
  'fewest',
  'most',
  'cheapest',
  'dearest',
  'firstTicket',
  'lastTicket',
  'fromPort',
  'toPort',
] as const;
const voyages = { modelClass: Voyage, readableColumnNames: ['id'], writeableColumnNames: columns } as const;

const application: ApplicationOptions = {
  entities: [Voyage],
  endpoints: [
    new RestfulApi({
      ...voyages,
      url: 'voyages',
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
    new Create({ ...voyages, url: 'titled', externalCasing: 'TitleCase' }),
    new Create({
      ...voyages,
      url: 'overridden',
      columnOverrides: { endsOn: { validators: [new AfterColumn('startsOn')] } },
    }),
  ],
};

const { contract } = service(application, everyDatabase);
const exact = service(application, postgresqlOnly);

/** A column and a later one with values in their order, and with values the wrong way around or the same. */
const pairs = [
  [
    'starts_on',
    'ends_on',
    ['2026-05-01', '2026-05-02'],
    ['2026-05-02', '2026-05-02'],
    ['2026-05-03', '2026-05-02'],
  ],
  [
    'boards_at',
    'leaves_at',
    ['2026-05-01T10:00:00.001+01:00', '2026-05-01T09:00:00.002Z'],
    ['2026-05-01T10:00:00.001+01:00', '2026-05-01T09:00:00.001Z'],
    ['2026-05-01T09:00:00Z', '2026-05-01T09:59:59+01:00'],
  ],
  [
    'opens_at',
    'closes_at',
    [1_777_626_000, '2026-05-01T09:00:01Z'],
    [1_777_626_001, '2026-05-01T09:00:01Z'],
    [1_777_626_002, '2026-05-01T09:00:01Z'],
  ],
  ['fewest', 'most', [-1, -0.5], [2, 2], [10, 9.5]],
  ['cheapest', 'dearest', ['-2', '-1.9'], ['-0', '0'], ['-1.9', '-2']],
  ['cheapest', 'dearest', [1e-7, '0.0000001001'], [1e-7, '0.0000001']],
  [
    'first_ticket',
    'last_ticket',
    ['9007199254740992', '9007199254740993'],
    ['9007199254740993', '9007199254740993'],
    ['10', '9'],
  ],
] as const;

/** Of more digits than a double has, in which SQLite keeps them. */
const manyDigits = [
  [
    'cheapest',
    'dearest',
    ['9007199254740993.0000000001', '9007199254740993.0000000002'],
    ['9007199254740993.5', '9007199254740993.50'],
    ['9007199254740993.0000000002', '9007199254740993.0000000001'],
  ],
  ['cheapest', 'dearest', ['1', '2'], [1e19, '9999999999999999999']],
] as const;

type Pair = (typeof pairs | typeof manyDigits)[number];

/** The columns that have the rule; the others are what it is about. */
const owners = ['starts_on', 'leaves_at', 'opens_at', 'fewest', 'cheapest', 'last_ticket'];

/** The complaint under a column: it should be on the right side of the other. */
const complaint = (earlier: string, later: string, about: string) =>
  inputErrors({
    [about]: about === earlier ? `value should be before '${later}'` : `value should be after '${earlier}'`,
  });

const post = ({ request }: Subject, body: object) => request().post('/voyages').send(body);

contract(
  "BeforeColumn and AfterColumn compare two columns: value should be before '<column>'",
  async (subject) => {
    for (const [earlier, later, right, ...wrong] of [...pairs, ...manyDigits]) {
      expect((await post(subject, { [earlier]: right[0], [later]: right[1] })).status).toBe(201);
      const refusal = complaint(earlier, later, owners.includes(earlier) ? earlier : later);
      for (const [low, high] of wrong)
        expectAnswer(await post(subject, { [earlier]: low, [later]: high }), 400, refusal);
    }
  },
);

contract('Before and after are strict, as exactly as clients read the values', async (subject) => {
  const instant = '2026-05-01T09:00:00.5004Z';
  expectAnswer(
    await post(subject, { boards_at: instant, leaves_at: '2026-05-01T09:00:00.500Z' }),
    400,
    inputErrors({ leaves_at: "value should be after 'boards_at'" }),
  );
  expect((await post(subject, { boards_at: instant, leaves_at: '2026-05-01T09:00:00.501Z' })).status).toBe(
    201,
  );
});

contract('A column that is missing or null is not compared', async (subject) => {
  for (const body of [
    { starts_on: '2026-05-01' },
    { ends_on: '2026-05-01' },
    { starts_on: '2026-05-01', ends_on: null },
    { starts_on: null, ends_on: '2026-05-01' },
  ])
    expect((await post(subject, body)).status).toBe(201);
});

contract('A column that is not of its type is not compared', async (subject) => {
  const mistyped = inputErrors({ ends_on: 'given value did not appear to be a valid date' });
  expectAnswer(await post(subject, { starts_on: '2026-05-01', ends_on: '2026-13-01' }), 400, mistyped);
});

const comparesWithStored = async (subject: Subject, compared: readonly Pair[]) => {
  for (const [earlier, later, [low, high], ...wrong] of compared)
    for (const [tooHigh, tooLow] of wrong) {
      const stored = (body: object) => post(subject, body).then((answer) => answer.body.data.id as number);
      const patch = (id: number, body: object) => subject.request().patch(`/voyages/${id}`).send(body);
      const withLater = await stored({ [later]: tooLow });
      expectAnswer(await patch(withLater, { [earlier]: tooHigh }), 400, complaint(earlier, later, earlier));
      const withEarlier = await stored({ [earlier]: tooHigh });
      expectAnswer(await patch(withEarlier, { [later]: tooLow }), 400, complaint(earlier, later, later));
      const both = await stored({ [earlier]: low, [later]: high });
      for (const body of [{ [earlier]: low }, { [later]: high }, { [earlier]: null }, { [later]: tooLow }])
        expectAnswer(await patch(both, body), 200, success({ id: both }));
    }
};

contract('An Update with one of two columns compares it with the stored record', (subject) =>
  comparesWithStored(subject, pairs),
);

exact.contract('An Update compares every digit with those of the stored record', (subject) =>
  comparesWithStored(subject, manyDigits),
);

contract('An Update with both columns is judged before it looks for the record', async ({ request }) => {
  const body = { starts_on: '2026-05-02', ends_on: '2026-05-01' };
  const refusal = inputErrors({ starts_on: "value should be before 'ends_on'" });
  expectAnswer(await request().patch('/voyages/1').send(body), 400, refusal);
  expectAnswer(await request().patch('/voyages/1').send({ starts_on: '2026-05-02' }), 404, notFound);
});

contract('An Update that clears the other column is not compared with what was stored', async (subject) => {
  await post(subject, { starts_on: '2026-05-01', ends_on: '2026-05-02' });
  const answer = await subject.request().patch('/voyages/1').send({ starts_on: '2026-06-01', ends_on: null });
  expectAnswer(answer, 200, success({ id: 1 }));
});

contract('A rule about another column names it as the client does', async ({ request }) => {
  const { body } = await request().post('/titled').send({ StartsOn: '2026-05-02', EndsOn: '2026-05-01' });
  expect(body.InputErrors).toEqual({ StartsOn: "value should be before 'EndsOn'" });
});

contract('column_overrides adds a rule about another column', async ({ request }) => {
  const body = { starts_on: '2026-05-02', ends_on: '2026-05-01' };
  const refusal = {
    starts_on: "value should be before 'ends_on'",
    ends_on: "value should be after 'starts_on'",
  };
  expectAnswer(await request().post('/overridden').send(body), 400, inputErrors(refusal));
});

contract("A user's own rule compares two columns", async (subject) => {
  const { request } = subject;
  const refusal = (about: string, other: string) =>
    inputErrors({ [about]: `value should differ from '${other}'` });
  expectAnswer(await post(subject, { from_port: 'a', to_port: 'a' }), 400, refusal('to_port', 'from_port'));
  await post(subject, { from_port: 'a', to_port: 'b' });
  expectAnswer(
    await request().patch('/voyages/1').send({ from_port: 'b' }),
    400,
    refusal('from_port', 'to_port'),
  );
  expectAnswer(
    await request().patch('/voyages/1').send({ to_port: 'a' }),
    400,
    refusal('to_port', 'from_port'),
  );
  expectAnswer(await request().patch('/voyages/1').send({ to_port: 'c' }), 200, success({ id: 1 }));
});
