import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Callable,
  ColumnType,
  Create,
  CreatedByHeaderColumn,
  Get,
  ListColumn,
  Update,
  defineColumns,
} from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { isMariaDb } from '../support/database.js';
import { bodyIn, dataIn, operationAt, schemaIn, type Part } from '../support/documents.js';

interface Gradient {
  readonly from: string;
  readonly to: string;
}

/** Kept as JSON, without being a JsonColumn. */
class GradientColumn extends ColumnType {
  readonly name = 'Gradient';
  override readonly storage = 'json';
  readonly schema = {
    type: 'object',
    properties: { from: { type: 'string' }, to: { type: 'string' } },
    required: ['from', 'to'],
  };

  complaint(value: unknown): string | undefined {
    const { from, to } = Object(value) as Partial<Gradient>;
    return typeof from === 'string' && typeof to === 'string' ? undefined : 'value should be a gradient';
  }

  toWire(value: unknown): string {
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

const moods = ['glad', 'sad', 'so-so'];

/** One of some values, kept in an enum type where the database has such, without being a SelectColumn. */
class MoodColumn extends ColumnType {
  readonly name = 'Mood';
  readonly schema = { type: 'string', enum: moods };

  complaint(value: unknown): string | undefined {
    return moods.some((mood) => mood === value) ? undefined : 'value should be a mood';
  }

  toWire(value: unknown): string {
    return JSON.stringify(value);
  }
}

/** True and false, kept as 1 and 0, without being a BooleanColumn. */
class SwitchColumn extends ColumnType {
  readonly name = 'Switch';
  override readonly isBoolean = true;
  override readonly operators = [
    ...(['=', '!=', '<=>', 'in', 'is', 'is not', 'is null', 'is not null', 'not in'] as const),
  ];
  readonly schema = { type: 'boolean' };

  complaint(value: unknown): string | undefined {
    return typeof value === 'boolean' ? undefined : 'value should be on or off';
  }

  override fromText(text: string): unknown {
    return text === 'true';
  }

  override toDatabase(value: unknown): number {
    return value === true ? 1 : 0;
  }

  toWire(value: unknown): string {
    return Number(value) === 1 ? 'true' : 'false';
  }
}

/** An enum: PostgreSQL has a type for each, with a name; MariaDB has one of the column. */
const moodNamed = (name: string) => (isMariaDb ? p.enum(moods) : p.enum(moods).nativeEnumName(name));

/** Each own type stands beside the library's of the same sort. */
const Sign = defineEntity({
  name: 'Sign',
  properties: {
    id: p.integer().primary().autoincrement(),
    gradient: p.json<Gradient>().nullable(),
    json: p.json<Gradient>().nullable(),
    gradients: p.json<Gradient[]>().nullable(),
    mood: moodNamed('mood_of_sign').nullable(),
    select: moodNamed('select_of_sign').nullable(),
    lit: p.smallint().nullable(),
    boolean: p.boolean().nullable(),
    calm: p.smallint().nullable(),
    hail: moodNamed('hail_of_sign').nullable(),
  },
});

defineColumns(Sign, {
  gradient: { type: new GradientColumn() },
  gradients: { type: new ListColumn(new GradientColumn()) },
  mood: { type: new MoodColumn() },
  lit: { type: new SwitchColumn() },
  calm: { type: new CreatedByHeaderColumn('X-Calm', new SwitchColumn()) },
  hail: { type: new CreatedByHeaderColumn('X-Hail') },
});

const columns = ['gradient', 'json', 'gradients', 'mood', 'select', 'lit', 'boolean'] as const;
const signs = { modelClass: Sign, readableColumnNames: columns, writeableColumnNames: columns } as const;

const { contract } = service(
  {
    entities: [Sign],
    endpoints: [
      new Create({ ...signs, url: 'signs' }),
      new Get({ ...signs, url: 'signs/:id' }),
      new Update({ ...signs, url: 'signs/:id' }),
      new AdvancedSearch({
        modelClass: Sign,
        url: 'found',
        readableColumnNames: ['id'],
        searchableColumnNames: [...columns, 'calm', 'hail'],
        sortableColumnNames: ['id', 'mood', 'select', 'lit'],
        defaultSortColumnName: 'id',
      }),
      new Callable({
        modelClass: Sign,
        readableColumnNames: columns,
        url: 'given',
        toCall: async ({ em }) =>
          Object.assign(await em.findOneOrFail(Sign, 1), {
            gradient: { from: 'g"', to: 'h' },
            gradients: [{ from: 'i', to: 'j' }],
          }),
      }),
      new Get({ ...signs, url: 'mapped/:id', outputMap: ({ record }) => ({ shown: record.gradient }) }),
    ],
  },
  everyDatabase,
);

const gradient = { from: "a'\\", to: 'b' };
const sign = {
  gradient,
  json: gradient,
  gradients: [gradient, { from: 'c', to: 'd' }],
  mood: 'glad',
  select: 'glad',
  lit: true,
  boolean: true,
};
const nothing = Object.fromEntries(columns.map((name) => [name, null]));

const created = async (subject: Subject, ...values: readonly object[]): Promise<void> => {
  for (const value of values)
    expectAnswer(await subject.request().post('/signs').send(value), 201, success({ ...nothing, ...value }));
};

const search = async ({ request }: Subject, column: string, operator: string, value?: unknown) => {
  const { status, body } = await request()
    .post('/found')
    .send({ where: [{ column, operator, value }] });
  return status === 200 ? body.data.map(({ id }: { id: number }) => id) : body.error;
};

contract("A user's own type that is kept as JSON is stored, read and written as Json is", async (subject) => {
  const { request, em } = subject;
  await created(subject, sign);
  const stored = await em().findOneOrFail(Sign, 1);
  expect([stored.gradient, stored.json, stored.gradients]).toEqual([gradient, gradient, sign.gradients]);
  const changed = { gradient: { from: 'e', to: 'f' }, gradients: [] };
  expectAnswer(await request().patch('/signs/1').send(changed), 200, success({ ...sign, ...changed }));
  expectAnswer(await request().get('/signs/1'), 200, success({ ...sign, ...changed }));
  const mapped = await request().get('/mapped/1');
  expect(mapped.body.data).toEqual({ shown: changed.gradient });
  await request().patch('/signs/1').send({ gradient: null });
  expect((await request().get('/signs/1')).body.data.gradient).toBeNull();
});

contract(
  "A user's own type that is kept as JSON is shown of entities that a function gives",
  async (subject) => {
    await created(subject, sign);
    const { status, body } = await subject.request().get('/given');
    const { gradient: one, gradients: many } = body.data;
    expect([status, one, many]).toEqual([200, { from: 'g"', to: 'h' }, [{ from: 'i', to: 'j' }]]);
  },
);

contract("A user's own type that is kept as JSON refuses values in its own words", async ({ request }) => {
  const sent = { gradient: { from: 'a' }, gradients: [gradient, 1], mood: 'angry', lit: 1 };
  const answer = await request().post('/signs').send(sent);
  const refusals = {
    gradient: 'value should be a gradient',
    gradients: 'value should be a gradient',
    mood: 'value should be a mood',
    lit: 'value should be on or off',
  };
  expectAnswer(answer, 400, inputErrors(refusals));
});

contract(
  "A user's own type that is kept as JSON is searched by null alone, as Json is but for has",
  async (subject) => {
    await created(subject, sign, {});
    for (const column of ['gradient', 'json', 'gradients']) {
      expect(await search(subject, column, 'is null')).toEqual([2]);
      expect(await search(subject, column, 'is not null')).toEqual([1]);
      const isOfPostgres = !['sqlite', 'mariadb'].includes(subject.database);
      const has = column === 'json' && isOfPostgres ? ', has' : '';
      expect(await search(subject, column, '=', gradient)).toBe(
        `where 1: operator must be one of: is null, is not null${has}`,
      );
    }
  },
);

contract("A user's own type that is no text is searched by like as Select is", async (subject) => {
  await created(subject, sign, { mood: 'sad', select: 'sad' }, { mood: 'so-so', select: 'so-so' }, {});
  for (const column of ['mood', 'select']) {
    expect(await search(subject, column, 'like', 's%')).toEqual([2, 3]);
    expect(await search(subject, column, 'like', 'g_ad')).toEqual([1]);
    expect(await search(subject, column, 'in', ['sad', 'glad'])).toEqual([1, 2]);
  }
});

contract("A user's own type of true and false is searched by is as Boolean is", async (subject) => {
  await created(subject, sign, { lit: false, boolean: false }, {});
  for (const column of ['lit', 'boolean']) {
    expect(await search(subject, column, 'is', true)).toEqual([1]);
    expect(await search(subject, column, 'is not', true)).toEqual([2, 3]);
    expect(await search(subject, column, 'is', null)).toEqual([3]);
    expect(await search(subject, column, 'is', 1)).toBe('where 1: value should be null, true or false');
  }
});

contract('A column that the service sets is searched as the type of its values is', async (subject) => {
  for (const mood of ['glad', 'sad'])
    await subject
      .request()
      .post('/signs')
      .set({ 'X-Calm': String(mood === 'glad'), 'X-Hail': mood })
      .send({});
  expect(await search(subject, 'calm', 'is', true)).toEqual([1]);
  expect(await search(subject, 'calm', 'is not', true)).toEqual([2]);
  expect(await search(subject, 'hail', 'like', '%ad')).toEqual([1, 2]);
  expect(await search(subject, 'hail', 'like', 's%')).toEqual([2]);
});

contract("A document describes a user's own type as one of the library's that is kept alike", ({ app }) => {
  const document = openApiDocument(app);
  const { schema } = new GradientColumn();
  const { properties } = dataIn(document, operationAt(document, 'get', '/signs/{id}'));
  expect(properties.gradient).toEqual({ ...schema, type: ['object', 'null'] });
  const body = bodyIn(document, operationAt(document, 'post', '/found')).properties;
  expect(body.sort.items.properties.column.enum).toEqual(['id', 'mood', 'select', 'lit']);
  const conditionsOn = (column: string): Part[] =>
    schemaIn(document, body.where.items)
      .anyOf.filter((entry: Part) => entry.properties.column?.enum.includes(column) === true)
      .map(({ properties: { operator, value } }: Part) => [operator.enum, value]);
  for (const [own, known] of [
    ['mood', 'select'],
    ['lit', 'boolean'],
  ] as const)
    expect(conditionsOn(own)).toEqual(conditionsOn(known));
  const ofNull = [[['is null', 'is not null'], {}]];
  expect(conditionsOn('gradient')).toEqual(ofNull);
  expect(conditionsOn('json').slice(0, 1)).toEqual(ofNull);
});
