import { expect } from '@jest/globals';
import { defineEntity, p, Type, type EntityName } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { Statements, verbOf } from '../support/statements.js';

/** Stored backwards. */
class Backwards extends Type<string, string> {
  override convertToDatabaseValue(value: string): string {
    return Array.from(value).reverse().join('');
  }

  override convertToJSValue(value: string): string {
    return this.convertToDatabaseValue(value);
  }

  override getColumnType(): string {
    return 'varchar(20)';
  }
}

const key = { id: p.integer().primary().autoincrement(), label: p.string() };
const day = new Date('2026-03-01T12:30:00.000Z');

const BegunSchema = defineEntity({
  name: 'Begun',
  properties: { ...key, value: p.string().default('of the table') },
});

class Begun extends BegunSchema.class {
  override value = 'begun';
}
BegunSchema.setClass(Begun);

/** Entities of one property that the service fills, and what it holds after a Create and after an Update. */
const filled: readonly (readonly [name: string, entity: EntityName, created: unknown, updated: unknown])[] = [
  [
    'a type of the user’s own',
    defineEntity({
      name: 'FilledOwn',
      properties: {
        ...key,
        value: p
          .type(Backwards)
          .onCreate(() => 'made')
          .onUpdate(() => 'kept'),
      },
    }),
    'made',
    'kept',
  ],
  [
    'bytes',
    defineEntity({
      name: 'FilledBytes',
      properties: {
        ...key,
        value: p
          .blob()
          .onCreate(() => Buffer.from([0, 92, 255]))
          .onUpdate(() => Buffer.from([1])),
      },
    }),
    Buffer.from([0, 92, 255]),
    Buffer.from([1]),
  ],
  [
    'a list',
    defineEntity({
      name: 'FilledList',
      properties: {
        ...key,
        value: p
          .array()
          .onCreate(() => ['a,b', '"'])
          .onUpdate(() => []),
      },
    }),
    ['a,b', '"'],
    [],
  ],
  [
    'a JSON value',
    defineEntity({
      name: 'FilledJson',
      properties: {
        ...key,
        value: p
          .json<unknown>()
          .onCreate(() => ({ a: [1] }))
          .onUpdate(() => 'text'),
      },
    }),
    { a: [1] },
    'text',
  ],
  [
    'an instant',
    defineEntity({
      name: 'FilledInstant',
      properties: {
        ...key,
        value: p
          .datetime()
          .nullable()
          .onCreate(() => day)
          .onUpdate(() => null as never),
      },
    }),
    day,
    null,
  ],
  ['what its class begins with', BegunSchema, 'begun', 'begun'],
];

const application = {
  entities: filled.map(([, entity]) => entity) as never,
  endpoints: filled.map(
    ([, modelClass], index) =>
      new RestfulApi({
        url: `filled-${index}`,
        modelClass: modelClass as EntityName<{ label: string }>,
        readableColumnNames: ['label'],
        writeableColumnNames: ['label'],
        sortableColumnNames: ['label'],
        searchableColumnNames: ['label'],
        defaultSortColumnName: 'label',
      }),
  ),
};

const { contract } = service(application);

const valueOf = async ({ orm }: Subject, entity: EntityName): Promise<unknown> => {
  const record = (await orm.em.fork().findOneOrFail(entity, { id: 1 })) as { value: unknown };
  return record.value;
};

for (const [index, [name, entity, created, updated]] of filled.entries())
  contract(`What MikroORM fills in is stored as MikroORM stores it: ${name}`, async (subject) => {
    const { request } = subject;
    expect((await request().post(`/filled-${index}`).send({ label: 'A' })).status).toBe(201);
    expect(await valueOf(subject, entity)).toEqual(created);
    expect((await request().patch(`/filled-${index}/1`).send({ label: 'B' })).status).toBe(200);
    expect(await valueOf(subject, entity)).toEqual(updated);
  });

const direct = service({ ...application, route: 'direct' }, once);

direct.contract('A null that MikroORM fills in is written by the one statement, too', async (subject) => {
  const statements = await Statements.of(subject);
  const update = (label: string) => subject.request().patch('/filled-4/1').send({ label }).expect(200);
  await subject.request().post('/filled-4').send({ label: 'A' }).expect(201);
  // The first write asks the catalogue about the table.
  await update('B');
  expect((await statements.during(() => update('C'))).map(verbOf)).toEqual(['update']);
});
