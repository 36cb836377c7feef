import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi, Update } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';

/** Has children and friends of its own kind, which may be the same. */
const Fox = defineEntity({
  name: 'Fox',
  properties: {
    id: p.integer().primary().autoincrement(),
    rank: p.integer().default(0),
    parent: () => p.manyToOne(Fox).nullable(),
    children: () => p.oneToMany(Fox).mappedBy('parent'),
    friends: () => p.manyToMany(Fox).owner(),
  },
});

const operations = ['update', 'delete', 'link'] as const;

const { contract } = service({
  entities: [Fox],
  endpoints: [
    new RestfulApi({
      url: 'foxes',
      modelClass: Fox,
      readableColumnNames: ['id', 'rank'],
      writeableColumnNames: ['rank'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      writeableRelations: {
        children: {
          through: 'foxes',
          operations,
          writeableRelations: { parent: { through: 'foxes', operations: ['update'] } },
        },
        friends: { through: 'foxes', operations },
      },
    }),
    new Update({
      url: 'families/:id',
      modelClass: Fox,
      readableColumnNames: ['id'],
      writeableColumnNames: ['rank'],
      writeableRelations: {
        children: {
          through: 'foxes',
          operations: ['update', 'link'],
          writeableRelations: { children: { through: 'foxes', operations: ['link', 'unlink'] } },
        },
      },
    }),
  ],
});

const itself = 'this is the record itself, which the body changes already';

/** The first fox is its own child, and the second one its child and friend. */
const made = async ({ save, request }: Subject) => {
  await save(Fox, {});
  await save(Fox, {});
  const body = { children: { link: [1, 2] }, friends: { link: [1, 2] } };
  expect((await request().patch('/foxes/1').send(body)).status).toBe(200);
};

const ranks = async ({ em }: Subject) => {
  const foxes = await em()
    .fork()
    .find(Fox, {}, { orderBy: { id: 'asc' } });
  return foxes.map(({ rank }) => rank);
};

contract('A record that two relations have is changed in one place', async (subject) => {
  await made(subject);
  const send = (body: object) => subject.request().patch('/foxes/1').send(body);
  const update = [{ id: 2, rank: 6 }];
  for (const [friends, key] of [
    [{ update }, 'friends.update.0.id'],
    [{ delete: [2] }, 'friends.delete.0'],
  ] as const)
    expectAnswer(
      await send({ children: { update }, friends }),
      400,
      inputErrors({ [key]: 'the same record is named in children.update.0' }),
    );
  expect(await ranks(subject)).toEqual([0, 0]);
  expect((await send({ children: { update }, friends: { link: [2] } })).status).toBe(200);
  expect(await ranks(subject)).toEqual([0, 6]);
});

contract('A record is given to one of the related records, or taken from one', async (subject) => {
  const { save, request, em } = subject;
  for (let count = 0; count < 4; count += 1) await save(Fox, {});
  const send = (...update: readonly object[]) =>
    request().patch('/families/1').send({ children: { update } });
  await request()
    .patch('/families/1')
    .send({ children: { link: [2, 3] } });
  expect((await send({ id: 3, children: { link: [4] } })).status).toBe(200);
  const [link, unlink] = [{ link: [4] }, { unlink: [4] }];
  for (const [first, second] of [
    [link, unlink],
    [unlink, link],
    [link, link],
  ] as const) {
    const [one, other] = [first, second].map((words) => Object.keys(words)[0]);
    expectAnswer(
      await send({ id: 2, children: first }, { id: 3, children: second }),
      400,
      inputErrors({
        [`children.update.1.children.${other}.0`]: `the same record is named in children.update.0.children.${one}.0`,
      }),
    );
  }
  expect((await em().findOneOrFail(Fox, { id: 4 })).parent?.id).toBe(3);
  expect((await send({ id: 2, children: link })).status).toBe(200);
  expect((await em().findOneOrFail(Fox, { id: 4 })).parent?.id).toBe(2);
});

contract('A record is not changed among those that are related to it', async (subject) => {
  await made(subject);
  const send = (body: object) => subject.request().patch('/foxes/1').send(body);
  for (const name of ['children', 'friends'])
    expectAnswer(
      await send({ rank: 5, [name]: { update: [{ id: 1, rank: 6 }] } }),
      400,
      inputErrors({ [`${name}.update.0.id`]: itself }),
    );
  const below = { update: [{ id: 2, rank: 3, parent: { update: { rank: 7 } } }] };
  expectAnswer(
    await send({ rank: 5, children: below }),
    400,
    inputErrors({ 'children.update.0.parent.update': itself }),
  );
  expect(await ranks(subject)).toEqual([0, 0]);
  expect((await send({ rank: 5, children: { update: [{ id: 2, rank: 6 }] } })).status).toBe(200);
  expect(await ranks(subject)).toEqual([5, 6]);
});
