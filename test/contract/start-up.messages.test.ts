import { expect, test } from '@jest/globals';
import { OwnRecords } from '@nest-endpoints/auth';
import {
  anyOf,
  MaximumValue,
  MinimumLength,
  defineColumns,
  Authorization,
  Create,
  EndpointGroup,
  Get,
  List,
  Public,
} from '@nest-endpoints/core';
import { defineEntity, p } from '@mikro-orm/core';
import { once, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';
import { Claims } from './claims.js';
import { stopped } from './stopped.js';

const started = 'Error: the application started';
const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;

const Ship = defineEntity({
  name: 'Ship',
  properties: {
    id: p.integer().primary(),
    builtOn: p.date(),
    crew: () => p.oneToMany(Sailor).mappedBy('ship'),
  },
});
const Sailor = defineEntity({
  name: 'Sailor',
  properties: { id: p.integer().primary(), shoeSize: p.integer(), ship: () => p.manyToOne(Ship) },
});
const Port = defineEntity({
  name: 'Port',
  properties: { id: p.integer().primary(), opened_on: p.date(), ship: () => p.manyToOne(Ship) },
});

test('OwnRecords on an entity without its column stops the start', async () => {
  for (const authorization of [new OwnRecords('owner', 'sub'), anyOf(new OwnRecords('owner', 'sub'))]) {
    const group = () =>
      new EndpointGroup({ authentication: new Claims(), authorization, endpoints: [books()] });
    expect(await stopped(group)).toMatch(
      /RestfulApi 'books': authorization: OwnRecords: Book has no column 'owner'; its properties: .*title/,
    );
  }
  const own = () => books({ authentication: new Claims(), authorization: new OwnRecords('title', 'sub') });
  expect(await stopped(own)).toBe(started);
});

test('Two conditions in one string of where stop the start', async () => {
  const listing = (entry: string) => () => new Get({ ...titles, url: 'x/:id', where: [entry] });
  for (const entry of ['title = a or title = b', 'pages > 1 and pages < 9', "title = 'a' OR pages is null"])
    expect(await stopped(listing(entry))).toMatch(/Get 'x\/:id': where: .*one condition.*\$or/);
  for (const entry of ["title = 'a or title = b'", 'title = this or that', 'pages in (1, 2)'])
    expect(await stopped(listing(entry))).toBe(started);
});

test('An entity that MikroORM does not know is told with what to do', async () => {
  const message = await stopped(() => new Get({ ...titles, url: 'x/:id' }), { entities: [Country, Author] });
  expect(message).toMatch(/Get 'x\/:id': modelClass: MikroORM does not know Book: .*`entities`.*forFeature/);
});

test('Properties of two casings stop the start, and both are named', async () => {
  const ports = () =>
    new List({
      modelClass: Port,
      url: 'ports',
      readableColumnNames: ['id'],
      sortableColumnNames: [],
      defaultSortColumnName: 'id',
    });
  const options = { entities: [Ship, Sailor, Port], root: {} };
  expect(await stopped(ports, options)).toMatch(
    /List 'ports': internalCasing: Port\.opened_on is in snake_case, (Ship|Sailor)\.\w+ is in camelCase|List 'ports': internalCasing: Port\.opened_on is in snake_case, (Ship|Sailor)\.\w+ in camelCase/,
  );
  expect(await stopped(ports, { ...options, root: { internalCasing: 'camelCase' } })).toBe(started);
});

const ships = {
  modelClass: Ship,
  readableColumnNames: ['id', 'builtOn'],
  writeableColumnNames: ['id', 'builtOn'],
} as const;

const unsaid = service(
  {
    entities: [Ship, Sailor],
    endpoints: [
      new Create({ ...ships, url: 'ships' }),
      new Create({
        modelClass: Sailor,
        url: 'sailors',
        readableColumnNames: ['shoeSize', 'shipId', 'ship.builtOn'],
        writeableColumnNames: ['id', 'shoeSize', 'shipId'],
      }),
    ],
  },
  once,
);

unsaid.contract('The internal casing is that of the properties when nothing says it', async ({ request }) => {
  await request().post('/ships').send({ id: 1, built_on: '1912-04-10' });
  const { body } = await request().post('/sailors').send({ id: 1, shoe_size: 43, ship_id: 1 });
  expect(body.data).toEqual({ shoe_size: 43, ship_id: 1, ship: { built_on: '1912-04-10' } });
});

class NobodyIn extends Authorization {
  override gate(identity: unknown): boolean {
    return identity !== undefined;
  }
}

const odd = service(
  libraryWith([
    new EndpointGroup({
      url: 'guarded',
      authorization: new NobodyIn(),
      authentication: new Claims(),
      endpoints: [new Get({ ...titles, url: 'open/:id', authentication: new Public() }), books()],
    }),
    new Get({ ...titles, url: 'twice/:id' }),
    new Get({ ...titles, url: 'twice/{id}' }),
    new EndpointGroup({ endpoints: [new Get({ ...titles, url: 'reader/:id' })] }),
  ]),
  once,
);

odd.contract('A public endpoint below an authorization is warned of at start-up', ({ startLog }) => {
  expect(startLog).toMatch(
    /^warn .*Get 'guarded\/open\/:id' is public.*\(NobodyIn of EndpointGroup 'guarded'\).*without an identity; give it an authentication/m,
  );
  expect(startLog).not.toMatch(/RestfulApi 'guarded\/books' is public/);
});

odd.contract('The log tells at the level debug which rule refused a request', async ({ request, log }) => {
  const { status } = await request().get('/guarded/open/1');
  expect(status).toBe(403);
  expect(log.text('debug')).toMatch(/not authorized: NobodyIn says no; the request has no identity/);
});

odd.contract('What never answers is named with what takes its path, and with what to do', ({ startLog }) => {
  expect(startLog).toMatch(
    /^warn .*Get 'twice\/:id' never answers GET: Get 'twice\/:id' takes its path first; give one of them another url/m,
  );
});

odd.contract(
  'The start says one line for each list of endpoints, and the routes at the level debug',
  ({ startLog }) => {
    const lines = startLog.split('\n');
    expect(lines.filter((line) => line.includes('endpoints)'))).toEqual([
      "log TestApplication: EndpointGroup 'guarded' (6 endpoints), Get 'twice/:id', Get 'twice/:id', Get 'reader/:id' Endpoints",
    ]);
    expect(lines.filter((line) => /^log .*(Mapped|Controller \{)/.test(line))).toEqual([]);
    expect(lines.filter((line) => /^debug .*Mapped \{\/twice\/:id, GET\}/.test(line))).not.toEqual([]);
  },
);

const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary(), text: p.string().length(5), stars: p.integer().nullable() },
});

defineColumns(Note, {
  text: { validators: [new MinimumLength(3)] },
  stars: { validators: [new MaximumValue(5)] },
});

const notes = (url: string, columnOverrides = {}) =>
  new Create({
    modelClass: Note,
    url,
    readableColumnNames: ['text', 'stars'],
    writeableColumnNames: ['id', 'text', 'stars'],
    columnOverrides,
  });

const overridden = service(
  {
    entities: [Note],
    endpoints: [notes('ruled'), notes('freed', { text: { validators: [] }, stars: { validators: [] } })],
  },
  once,
);

overridden.contract(
  'columnOverrides take away the rules of defineColumns, and leave those of the metadata',
  async ({ request }) => {
    const ruled = await request().post('/ruled').send({ id: 1, text: 'a', stars: 6 });
    expect(Object.keys(ruled.body.input_errors as object)).toEqual(['text', 'stars']);
    const freed = await request().post('/freed').send({ id: 1, text: 'a', stars: 6 });
    expect([freed.status, freed.body.data]).toEqual([201, { text: 'a', stars: 6 }]);
    const long = await request().post('/freed').send({ id: 2, text: 'abcdef', stars: 6 });
    expect(Object.keys(long.body.input_errors as object)).toEqual(['text']);
    const none = await request().post('/freed').send({ id: 2, stars: 6 });
    expect(Object.keys(none.body.input_errors as object)).toEqual(['text']);
  },
);
