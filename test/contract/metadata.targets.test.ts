import { expect } from '@jest/globals';
import { defineEntity, p, type EntityName, type Opt } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

/** Stands first, and leads to entities that have a version and unique values. */
const Library = defineEntity({
  name: 'Library',
  properties: {
    id: p.integer().primary(),
    rooms: () => p.oneToMany(Room).mappedBy('library'),
    patron: () => p.manyToOne(Patron).nullable(),
    charter: () => p.oneToOne(Charter).nullable(),
    titles: () => p.manyToMany(Title),
    topics: () => p.manyToMany(Topic).inversedBy('libraries'),
  },
});

const versioned = {
  id: p.integer().primary(),
  name: p.string().length(20).unique(),
  pages: p.integer().nullable(),
  version: p.integer().version(),
};
const Room = defineEntity({
  name: 'Room',
  properties: { ...versioned, library: () => p.manyToOne(Library).nullable() },
});
const Patron = defineEntity({ name: 'Patron', properties: { ...versioned } });
const Charter = defineEntity({ name: 'Charter', properties: { ...versioned } });
const Title = defineEntity({ name: 'Title', properties: { ...versioned } });
const Topic = defineEntity({
  name: 'Topic',
  properties: { ...versioned, libraries: () => p.manyToMany(Library).mappedBy('topics') },
});

interface Versioned {
  id: number;
  name: string;
  pages: number | null;
  version: Opt<number>;
}

const targets = {
  rooms: Room,
  patrons: Patron,
  charters: Charter,
  titles: Title,
  topics: Topic,
} as unknown as Readonly<Record<string, EntityName<Versioned>>>;

const listed = {
  readableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  searchableColumnNames: [],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Library, Room, Patron, Charter, Title, Topic],
    endpoints: [
      new RestfulApi({ ...listed, url: 'libraries', modelClass: Library, writeableColumnNames: ['id'] }),
      ...Object.entries(targets).map(
        ([url, modelClass]) =>
          new RestfulApi({ ...listed, url, modelClass, writeableColumnNames: ['id', 'name', 'pages'] }),
      ),
      new RestfulApi({
        ...listed,
        url: 'careful',
        modelClass: Title,
        writeableColumnNames: ['pages'],
        preconditionRequired: true,
      }),
    ],
  },
  everyDatabase,
);

contract(
  'Records have an ETag whatever endpoint of a related entity stands before theirs',
  async ({ request, save }) => {
    for (const [url, entity] of Object.entries(targets)) {
      await save(entity, { id: 1, name: 'one', pages: null });
      const { headers } = await request().get(`/${url}/1`);
      expect([url, headers['etag']]).toEqual([url, '"1"']);
      const patch = (tag: string) => request().patch(`/${url}/1`).set('If-Match', tag).send({ pages: 7 });
      expectAnswer(await patch('"2"'), 412, clientError('Precondition Failed'));
      const patched = await patch('"1"');
      expectAnswer(patched, 200, success({ id: 1 }));
      expect([url, patched.headers['etag']]).toEqual([url, '"2"']);
    }
    expectAnswer(
      await request().patch('/careful/1').send({ pages: 8 }),
      428,
      clientError('Precondition Required'),
    );
  },
);

contract(
  'What the database refuses of a record that many others lead to is an input error',
  async ({ request, save }) => {
    for (const [url, entity] of Object.entries(targets)) {
      await save(entity, { id: 1, name: 'one', pages: null });
      const taken = "Invalid value for 'name': the given value already exists, and must be unique.";
      const again = { id: 2, name: 'one' };
      expectAnswer(await request().post(`/${url}`).send(again), 400, inputErrors({ name: taken }));
      const sent = [3, 4, 5].map((id) => request().post(`/${url}`).send({ id, name: 'two' }));
      const answers = (await Promise.all(sent)).map(({ status, body }) => [status, body.input_errors]);
      const refused = [400, { name: taken }];
      expect(answers.sort()).toEqual([[201, {}], refused, refused]);
    }
  },
);
