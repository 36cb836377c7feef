import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, CreateMany, Import, Upsert } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';

const Pet = defineEntity({
  name: 'Pet',
  abstract: true,
  discriminatorColumn: 'kind',
  properties: {
    id: p.integer().primary().autoincrement(),
    kind: p.string().length(20),
    code: p.string().length(20).unique(),
    name: p.string().length(20).nullable(),
  },
});
const Dog = defineEntity({ name: 'Dog', extends: Pet, discriminatorValue: 'dog', properties: {} });
const Cat = defineEntity({ name: 'Cat', extends: Pet, discriminatorValue: 'cat', properties: {} });

const dogs = {
  modelClass: Dog,
  readableColumnNames: ['id', 'code', 'name'],
  writeableColumnNames: ['code', 'name'],
} as const;
const met = { ...dogs, conflictColumnNames: ['code'] } as const;

const { contract } = service(
  {
    entities: [Pet, Dog, Cat],
    endpoints: [
      new Create({ ...dogs, url: 'new' }),
      new Upsert({ ...met, url: 'dogs' }),
      new CreateMany({ ...met, url: 'many', onConflict: 'update' }),
      new CreateMany({ ...met, url: 'left', onConflict: 'ignore' }),
      new Import({
        modelClass: Dog,
        writeableColumnNames: ['code', 'name'],
        conflictColumnNames: ['code'],
        onConflict: 'update',
        url: 'import',
      }),
    ],
  },
  everyDatabase,
);

const taken = "Invalid value for 'code': the given value already exists, and must be unique.";

contract('A value that a record of another kind has in the same table is taken', async (subject) => {
  const { request, save, em } = subject;
  await save(Cat, { code: 'x', name: 'Tom' });
  const rex = { code: 'x', name: 'Rex' };
  for (const [method, path, body, name] of [
    ['post', '/new', rex, 'code'],
    ['put', '/dogs', rex, 'code'],
    ['post', '/many', { records: [{ code: 'y' }, rex] }, 'records.1.code'],
    ['post', '/left', { records: [{ code: 'y' }, rex] }, 'records.1.code'],
  ] as const) {
    const answer = await request()[method](path).send(body);
    expect([path, answer.status, answer.body.input_errors]).toEqual([path, 400, { [name]: taken }]);
  }
  const { text } = await request()
    .post('/import')
    .set('content-type', 'text/csv')
    .send('code,name\ny,Ace\nx,Rex\n');
  expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual({ line: 3, input_errors: { code: taken } });
  const pets = await em().fork().find(Pet, {});
  expect(pets.map(({ kind, code, name }) => [kind, code, name])).toEqual([['cat', 'x', 'Tom']]);
});
