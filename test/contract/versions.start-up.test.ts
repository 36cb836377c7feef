import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Deprecation } from '@nest-endpoints/core/internal';
import {
  Aggregate,
  Callable,
  Create,
  DeleteMany,
  EndpointGroup,
  Get,
  SimpleSearch,
  UpdateMany,
} from '@nest-endpoints/core';
import { startApplication, startUpError } from '../support/application.js';
import { command } from '../support/command-line/command.js';
import { shelf } from '../support/command-line/shelf.js';

const Ship = defineEntity({
  name: 'Ship',
  properties: { id: p.integer().primary(), name: p.string(), flag: p.string(), limit: p.integer() },
});

const ships = {
  modelClass: Ship,
  url: 'ships',
  readableColumnNames: ['id', 'name'],
  sortableColumnNames: ['name'],
  searchableColumnNames: ['flag'],
  defaultSortColumnName: 'name',
} as const;

type Endpoints = NonNullable<Parameters<typeof startUpError>[0]['endpoints']>;
const errorOf = (...endpoints: Endpoints) => startUpError({ entities: [Ship], endpoints });
const deprecatedError = async (deprecated: object): Promise<string> => {
  const error = await errorOf(
    new Callable({ url: 'x', toCall: () => 1, ...{ deprecated: deprecated as { since: string } } }),
  );
  return error.replace("Callable 'x': deprecated: ", '');
};

test('A deprecation that contradicts itself, or has no dates and urls, stops the start', async () => {
  const thrown = async (deprecated: object): Promise<string> => deprecatedError(deprecated).catch(String);
  for (const [deprecated, error] of [
    [{}, "'since' is required"],
    [{ since: 'soon' }, "'since': 'soon' is not allowed"],
    [{ since: '2027-02-30' }, "'since': '2027-02-30' is not allowed"],
    [{ since: '2027-01-01T12:00:00' }, "'since': '2027-01-01T12:00:00' is not allowed"],
    [{ since: '2027-01-01', sunset: '2026-12-31' }, "'sunset': '2026-12-31' is before since, '2027-01-01'"],
    [{ since: '2027-01-01', afterSunset: 'gone' }, "'sunset' is required where afterSunset is 'gone'"],
    [{ since: '2027-01-01', afterSunset: 'never' }, "'afterSunset': 'never' is unknown"],
    [{ since: '2027-01-01', link: 'a>; rel="x"' }, "'link': "],
    [{ since: '2027-01-01', link: {} }, "'link': an empty object is not allowed"],
    [{ since: '2027-01-01', until: '2028-01-01' }, "'until' is unknown"],
  ] as const)
    expect(await thrown(deprecated)).toContain(error);
});

test('A successor that is no endpoint of the application, or has no url of its own, stops the start', async () => {
  const get = new Get({ ...ships, url: 'ships/:id' });
  const deprecated = { since: '2027-01-01', successor: get };
  const list = new SimpleSearch({ ...ships, deprecated });
  const start = (...endpoints: Endpoints) =>
    startApplication('express', 'sqlite', { entities: [Ship], endpoints });
  await expect(start(list)).rejects.toThrow(
    "deprecated: link: 'ships/:id' is no endpoint of this application",
  );
  await expect(start(get, list)).rejects.toThrow("deprecated: link: 'ships/:id' has path parameters");
});

test('A name of the wire for no column, for two, of a control word, or that is no name, stops the start', async () => {
  for (const [externalNames, error] of [
    [{ nmae: 'title' }, "externalNames: unknown column 'nmae' (did you mean 'name'?)"],
    [{ name: 'id' }, "externalNames: 'id' and 'name' are both 'id' on the wire"],
    [{ name: 'flag' }, "externalNames: 'name' and 'flag' are both 'flag' on the wire"],
    [{ flag: 'sort' }, "'sort'"],
    [{ name: 'a.b' }, "externalNames: 'name': 'a.b' is not allowed"],
    [{ name: '__a,b' }, "externalNames: 'name': '__a,b' is not allowed"],
  ] as const)
    expect(
      await Promise.resolve()
        .then(() => errorOf(new SimpleSearch({ ...ships, externalNames: externalNames as object })))
        .catch(String),
    ).toContain(error);
});

const Cargo = defineEntity({
  name: 'Cargo',
  properties: { id: p.integer().primary(), weight: p.integer(), ship: () => p.manyToOne(Hull) },
});

const Hull = defineEntity({
  name: 'Hull',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    crew: p.integer(),
    version: p.integer().version(),
    cargo: () => p.oneToMany(Cargo).mappedBy('ship'),
  },
});

const hulls = { modelClass: Hull, url: 'hulls', readableColumnNames: ['name'] } as const;

test('A name of the wire that bodies have already stops the start', async () => {
  const error = async (made: () => Endpoints[number]): Promise<string> =>
    startUpError({ entities: [Hull, Cargo], endpoints: [made()] });
  const many = { ...hulls, writeableColumnNames: ['name', 'crew'] } as const;
  const one = {
    ...hulls,
    writeableColumnNames: ['name'],
    writeableRelations: { cargo: { writeableColumnNames: ['weight'] } },
  } as const;
  expect(await error(() => new Create({ ...one, externalNames: { name: 'cargo' } }))).toContain(
    "externalNames: 'name' and 'cargo' are both 'cargo' on the wire",
  );
  expect(await error(() => new UpdateMany({ ...many, externalNames: { crew: 'id' } }))).toContain(
    "writeableColumnNames: 'crew' is called 'id', by which an entry names its record",
  );
  for (const made of [
    () => new UpdateMany({ ...many, preconditionRequired: true, externalNames: { id: 'if_match' } }),
    () => new DeleteMany({ modelClass: Hull, url: 'hulls', externalNames: { id: 'if_match' } }),
  ])
    expect(await error(made)).toContain(
      "recordLookupColumnName: 'id' is called 'if_match', which is the version that an entry is to have",
    );
  expect(await error(() => new UpdateMany({ ...many, externalNames: { crew: 'if_match' } }))).toContain(
    "writeableColumnNames: 'crew' is called 'if_match', which is the version that an entry is to have",
  );
});

test('A name of the wire that a column of spans or of measures has already stops the start', async () => {
  const Trip = defineEntity({
    name: 'Trip',
    properties: { id: p.integer().primary(), name: p.string(), at: p.datetime(), size: p.integer() },
  });
  const error = async (externalNames: { name: string }): Promise<string> =>
    startUpError({
      entities: [Trip],
      endpoints: [
        new Aggregate({
          url: 'trips',
          modelClass: Trip,
          groupableColumnNames: ['name', { column: 'at', buckets: ['day'] }],
          measurableColumnNames: { size: ['sum'] },
          externalNames,
        }),
      ],
    });
  for (const taken of ['at', 'size'])
    expect(await error({ name: taken })).toContain(
      `externalNames: 'name' and '${taken}' are both '${taken}' on the wire`,
    );
});

test('An endpoint is gone at the very second of its sunset, and not a millisecond before', () => {
  const sunset = '2027-06-30T12:00:00+02:00';
  const gone = new Deprecation({ since: '2027-01-01', sunset, afterSunset: 'gone' });
  const noon = Date.UTC(2027, 5, 30, 10);
  expect([gone.isGone(noon - 1), gone.isGone(noon)]).toEqual([false, true]);
  expect(new Deprecation({ since: '2027-01-01', sunset }).isGone(noon)).toBe(false);
});

test('A command for a deprecated endpoint says so on standard error, in one line', async () => {
  const novels = await shelf();
  try {
    const { code, output, errors } = await command(['retired'], { databaseUrl: novels.url });
    expect([code, JSON.parse(output).data]).toEqual([0, 'still here']);
    expect(errors).toBe(
      'Deprecated since 2026-01-01, until 2099-12-31; use /novels; see https://example.org/why\n',
    );
  } finally {
    await novels.close();
  }
});

test('An endpoint in a group may be deprecated by nobody', async () => {
  const group = new EndpointGroup({ endpoints: [new Callable({ toCall: () => 1 })], deprecated: false });
  await expect(errorOf(group)).rejects.toThrow('the application started');
});
