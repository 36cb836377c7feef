import { describe, expect } from '@jest/globals';
import { AdvancedSearch, Callable, Delete, Get, List, RestfulApi, SimpleSearch } from '@nest-endpoints/core';
import { everyDatabase, once, service, type Contract, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { Album, Band, Label } from '../support/entities/studio.js';
import { Statements, verbOf } from '../support/statements.js';
import { record, studioWith } from './related.studio.js';

const listed = {
  modelClass: Band,
  sortableColumnNames: ['id', 'label.name'],
  defaultSortColumnName: 'id',
} as const;
const lists = [
  'id',
  'label.name',
  'albums.title',
  'albums.tracks.name',
  'genres.name',
  'musicianIds',
] as const;

const application = studioWith([
  new RestfulApi<Band>({
    ...listed,
    url: 'bands',
    readableColumnNames: ['id', 'name', 'label.name', 'deal.signedOn'],
    writeableColumnNames: ['name', 'labelId', 'genreCodes'],
    searchableColumnNames: ['name', 'label.name', 'albums.title'],
  }),
  new Get<Band>({
    url: 'named/:name',
    modelClass: Band,
    recordLookupColumnName: 'name',
    readableColumnNames: ['id'],
  }),
  new Get<Band>({ url: 'full/:id', modelClass: Band, readableColumnNames: lists }),
  new List<Band>({ ...listed, url: 'full', readableColumnNames: lists, count: 'none' }),
  new List<Band>({ ...listed, url: 'keyset', readableColumnNames: ['id'], pagination: 'keyset' }),
  new List<Band>({ ...listed, url: 'uncounted', readableColumnNames: ['id'], count: 'none' }),
  new List<Band>({
    ...listed,
    url: 'grouped',
    readableColumnNames: ['id'],
    groupByColumnName: 'label.name',
  }),
  new SimpleSearch<Band>({
    ...listed,
    url: 'narrowed',
    readableColumnNames: ['id'],
    searchableColumnNames: ['name'],
    where: ['albums.year > 2000', { label: 1 }, () => ({ deal: { $ne: null } })],
    joins: ['label', 'JOIN album a ON a.band_id=band.id'],
  }),
  new AdvancedSearch<Band>({
    ...listed,
    url: 'advanced',
    readableColumnNames: ['id'],
    searchableColumnNames: ['name', 'albums.title'],
  }),
  new RestfulApi<Band>({
    ...listed,
    url: 'own',
    readableColumnNames: ['id'],
    writeableColumnNames: ['name'],
    searchableColumnNames: ['id'],
    where: ['label.name = Loud'],
  }),
  new Delete({ url: 'labels/:id', modelClass: Label }),
  new Callable({
    url: 'called',
    modelClass: Album,
    readableColumnNames: ['title', 'band.labelId'],
    returnRecords: true,
    toCall: ({ em }) => em.find(Album, {}),
  }),
]);

type Ask = (request: ReturnType<Subject['request']>) => PromiseLike<unknown>;

/** The statements that a request sends. */
const statementsOf = async (subject: Subject, ask: Ask): Promise<readonly string[]> => {
  const statements = await Statements.of(subject);
  return statements.during(() => ask(subject.request()));
};

/** What each of them does. */
const sentBy = async (subject: Subject, ask: Ask) => (await statementsOf(subject, ask)).map(verbOf);

type Requests = Readonly<
  Record<string, readonly [path: string, body: object | undefined, verbs: string, status?: number]>
>;

/**
 * What a budget allows; a `page` is a select with its count. SQLite counts in a statement of its own where the page
 * does not tell, and has no lock for a record.
 */
const allowed = (verbs: string, { database }: Subject): RegExp => {
  const spelt =
    database === 'sqlite'
      ? verbs.replace('page', 'select( select)?').replace('lock', 'select')
      : verbs.replace('page', 'select');
  return new RegExp(`^${spelt}$`);
};

/** A sentence about requests and the verbs of the statements they send. */
const budgetOf =
  (contract: Contract) =>
  (sentence: string, requests: Requests): void =>
    contract(sentence, async (subject) => {
      for (const [method, [path, body, verbs, status = 200]] of Object.entries(requests)) {
        await subject.clean();
        await record(subject);
        const sent = await sentBy(subject, async (request) => {
          const verb = method.split(' ')[0] as 'get' | 'post' | 'patch' | 'delete';
          const answer = await request[verb](path).send(body);
          expect([method, path, answer.status]).toEqual([method, path, status]);
        });
        expect([method, path, sent.join(' ')]).toEqual([
          method,
          path,
          expect.stringMatching(allowed(verbs, subject)),
        ]);
      }
    });

/** One database after the other: two MikroORMs at once disturb each other's inverse one-to-one relations. */
describe.each(everyDatabase)('$database', (combination) => {
  const { contract } = service({ ...application, route: 'direct' }, [combination]);
  const budget = budgetOf(contract);

  budget('Get is one statement, parents included', {
    get: ['/bands/1', undefined, 'select'],
    'get by name': ['/named/Owls', undefined, 'select'],
    'get nothing': ['/bands/99', undefined, 'select', 404],
  });

  budget('Get sends one statement more for each list of related records', {
    get: ['/full/1', undefined, 'select select select select select'],
    'get without related records': ['/full/3', undefined, 'select select select select'],
    'get nothing': ['/full/99', undefined, 'select', 404],
  });

  contract('Of entities that a function gives, a parent is not read for its key alone', async (subject) => {
    await record(subject);
    const sent = await statementsOf(subject, (request) => request.get('/called').expect(200));
    expect(sent).toHaveLength(2);
    expect(sent.join(' ')).not.toMatch(/(from|join) ["`]label/);
  });

  budget('A list is one statement with its number_results, on SQLite at most two', {
    get: ['/bands', undefined, 'page'],
    'get page': ['/bands?limit=1', undefined, 'page'],
    'get next': ['/bands?limit=1&start=1', undefined, 'page'],
    'get end': ['/bands?limit=1&start=2', undefined, 'page'],
    'get sorted': ['/bands?limit=1&sort=label.name&direction=desc', undefined, 'page'],
    'get search': ['/bands?limit=1&albums.title=Night&label.name=Loud', undefined, 'page'],
    'get nothing': ['/bands?name=Nobody', undefined, 'page'],
    'get keyset': ['/keyset?limit=1', undefined, 'page'],
    'get uncounted': ['/uncounted?limit=1', undefined, 'page'],
    'get grouped': ['/grouped?limit=1', undefined, 'page'],
    'get narrowed': ['/narrowed?limit=1&name=Owls', undefined, 'page'],
    post: [
      '/advanced',
      { limit: 1, where: [{ column: 'albums.title', operator: '!=', value: 'Day' }] },
      'page',
    ],
  });

  budget('A list past its end counts in at most one statement more', {
    get: ['/bands?start=50', undefined, 'select select'],
    'get uncounted': ['/uncounted?start=50', undefined, 'select'],
  });

  contract(
    'A list sends one statement for each list of related records, whatever the page size',
    async (subject) => {
      await subject.em().insertMany(
        Band,
        Array.from({ length: 200 }, (_, index) => ({ name: `band ${index}`, updated: new Date() })),
      );
      await subject.em().insertMany(
        Album,
        Array.from({ length: 200 }, (_, index) => ({
          id: index + 1,
          title: `album ${index}`,
          band: index + 1,
        })),
      );
      for (const limit of [1, 50, 200]) {
        const sent = await sentBy(subject, (request) => request.get(`/full?limit=${limit}`));
        expect([limit, sent]).toEqual([limit, Array.from({ length: 5 }, () => 'select')]);
      }
    },
  );

  contract('A list without records asks for no related records', async (subject) => {
    expect(await sentBy(subject, (request) => request.get('/full'))).toEqual(['select']);
  });

  budget('Create is a transaction of an insert and a select', {
    post: ['/bands', { label_id: null, name: 'Larks' }, 'select begin insert select commit', 201],
  });

  budget('Create asks once for each Unique, BelongsToId or ManyToManyIds column that was sent', {
    post: ['/bands', { name: 'Larks', label_id: 1 }, 'select select begin insert select commit', 201],
    'post keys': [
      '/bands',
      { name: 'Larks', label_id: 1, genre_codes: ['rock', 'soul'] },
      'select select select begin insert insert select commit',
      201,
    ],
    'post refused': ['/bands', { name: 'Owls', label_id: 9 }, 'select select', 400],
  });

  budget('Update is a transaction of a lock, an update and a select', {
    patch: ['/bands/1', { label_id: null }, 'begin lock update select commit'],
    'patch unchanged': ['/bands/1', {}, 'begin lock select commit'],
  });

  budget('Update asks once for each Unique or BelongsToId column that was sent', {
    patch: ['/bands/1', { name: 'Larks', label_id: 2 }, 'begin lock select select update select commit'],
    'patch refused': ['/bands/1', { name: 'Jays', label_id: 9 }, 'begin lock select select rollback', 400],
  });

  budget('Update of a record that is not there is a transaction of a lock', {
    patch: ['/bands/99', { name: 'Larks' }, 'begin lock rollback', 404],
  });

  budget('Update with the related records as they are writes nothing', {
    patch: ['/bands/1', { genre_codes: ['soul', 'rock'] }, 'begin lock select select select commit'],
    'patch same': ['/bands/1', { name: 'Owls', label_id: 1 }, 'begin lock select select select commit'],
  });

  // The first write asks the catalogue whether the table is as metadata has it: then the row comes back with the update.
  const isDirect = combination.database === 'postgresql';
  const narrowed = isDirect
    ? '(select )?begin select lock select select update commit'
    : 'begin select lock select select update select commit';
  budget('Update and Delete ask before the lock and behind it where fixed conditions narrow them', {
    patch: ['/own/1', { name: 'Larks' }, narrowed],
    'patch outside': ['/own/3', { name: 'Larks' }, 'begin select rollback', 404],
    'delete outside': ['/own/3', undefined, 'begin select rollback', 404],
  });

  budget("Delete is one statement, in MikroORM's way a transaction of a lock and a delete", {
    delete: ['/labels/2', undefined, isDirect ? '(select )?delete' : 'begin lock delete commit'],
    'delete nothing': ['/labels/99', undefined, isDirect ? 'delete' : 'begin lock rollback', 404],
  });

  budget('What can be refused without the database sends no statement', {
    'get unknown parameter': ['/bands?colour=red', undefined, '', 400],
    'get bad limit': ['/bands?limit=0', undefined, '', 400],
    'get bad sort': ['/bands?sort=name', undefined, '', 400],
    'get malformed id': ['/bands/x', undefined, '', 404],
    'get id out of range': ['/bands/99999999999', undefined, '', 404],
    'get unknown path': ['/nowhere', undefined, '', 404],
    'get unknown path below': ['/bands/1/albums', undefined, '', 404],
    'post wrong type': ['/bands', { name: 5 }, '', 400],
    'post missing': ['/bands', {}, '', 400],
    'post unknown key': ['/bands', { colour: 'red' }, '', 400],
    'post bad search': ['/advanced', { where: [{ column: 'name', operator: '~', value: 1 }] }, '', 400],
    'patch wrong type': ['/bands/1', { name: 5 }, '', 400],
    'patch unknown key': ['/bands/1', { colour: 'red' }, '', 400],
    'patch malformed id': ['/bands/x', { name: 'Larks' }, '', 404],
    'delete malformed id': ['/labels/x', undefined, '', 404],
    'delete unknown method': ['/full/1', undefined, '', 404],
  });
});

const plain = service({ ...libraryWith([books()]), route: 'direct' }, once);

plain.contract('A write in which nothing of MikroORM takes part is one statement', async (subject) => {
  const ids: unknown[] = [];
  for (const title of ['Emma', 'Persuasion']) ids.push((await subject.save(Book, { title })).id);
  type Request = ReturnType<Subject['request']>;
  const writes = [
    (request: Request, id: unknown) => request.post('/books').send({ title: `Sanditon, ${String(id)}` }),
    (request: Request, id: unknown) =>
      request.patch(`/books/${String(id)}`).send({ title: `Emma, ${String(id)}` }),
    (request: Request, id: unknown) => request.delete(`/books/${String(id)}`),
  ];
  const sent: string[][] = [];
  for (const id of ids) {
    // The first one of each asks the catalogue whether the table is as metadata says.
    sent.length = 0;
    for (const write of writes) sent.push(await sentBy(subject, (request) => write(request, id)));
  }
  expect(sent.map((verbs) => verbs.length)).toEqual([1, 1, 1]);
  expect(await subject.count(Book)).toBe(2);
});
