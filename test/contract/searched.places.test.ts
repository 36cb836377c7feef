import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import { idsOfPages, listing, pages, searching } from './keyset.walk.js';
import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { documented } from '../support/documents.js';
import { application, Article, found, where } from './searched.articles.js';

const { contract } = service(application, bothPostgresql);

const described = service(
  { ...application, endpoints: [documented(application.endpoints ?? [])] },
  bothPostgresql,
).contract;

const cities = [
  [48.8566, 2.3522],
  [48.9362, 2.3574],
  [48.8049, 2.1204],
  [51.5074, -0.1278],
  [null, null],
] as const;

const paris = { latitude: 48.8566, longitude: 2.3522 };

const settle = ({ em }: Subject): Promise<unknown> =>
  em().insertMany(
    Article,
    cities.map(([latitude, longitude], index) => ({ id: index + 1, title: 'a city', latitude, longitude })),
  );

contract(
  'within finds places in a circle, and sorts them by their distance from its center',
  async (subject) => {
    await settle(subject);
    const within = (radius: number, center: object = paris) =>
      where(['place', 'within', { ...center, radius }]);
    expect(await found(subject, { where: within(50_000) })).toEqual([1, 2, 3]);
    expect(await found(subject, { where: within(10_000), sort: [{ column: 'place' }] })).toEqual([1, 2]);
    expect(await found(subject, { where: within(20_040_000), sort: [{ column: 'place' }] })).toEqual([
      1, 2, 3, 4,
    ]);
    const far = { where: within(400_000), sort: [{ column: 'place', direction: 'desc' }] };
    expect(await found(subject, far)).toEqual([4, 3, 2, 1]);
    for (const limit of [1, 2])
      expect(idsOfPages(await pages(searching(subject, '/keyset', { ...far, limit }))).flat()).toEqual([
        4, 3, 2, 1,
      ]);
    // The other side of the date line.
    expect(await found(subject, { where: within(10, { latitude: 90, longitude: 180 }) })).toEqual([]);
    const simple = '/simple?place=48.8566,2.3522,50000&sort=place';
    expect(idsOfPages(await pages(listing(subject, simple))).flat()).toEqual([1, 2, 3]);
  },
);

contract(
  'A place out of bounds is found by nobody, and keeps nothing else from being found',
  async (subject) => {
    await settle(subject);
    const { latitude, longitude } = paris;
    const places = [
      ...[NaN, Infinity, -Infinity, 90.5].map((degrees) => [degrees, longitude]),
      ...[NaN, Infinity, -Infinity, 181].map((degrees) => [latitude, degrees]),
    ];
    const values = places.map(
      (place, index) => `(${index + 6}, 'odd', ${place.map((one) => `'${one}'`).join()})`,
    );
    const sql = subject.em() as SqlEntityManager;
    await sql.execute(`insert into article (id, title, latitude, longitude) values ${values.join()}`);
    for (const radius of [0.001, 50_000, 20_040_000])
      for (const direction of ['asc', 'desc']) {
        const search = {
          where: where(['place', 'within', { ...paris, radius }]),
          sort: [{ column: 'place', direction }],
        };
        const ids = { 0.001: [1], 50_000: [1, 2, 3], 20_040_000: [1, 2, 3, 4] }[radius] ?? [];
        expect(await found(subject, search)).toEqual(direction === 'asc' ? ids : ids.toReversed());
      }
  },
);

described('The description of a circle has the bounds of each member', async ({ request }) => {
  const { body } = await request().get('/schema');
  const [radius] = /"radius":(?<schema>\{[^}]*\})/.exec(JSON.stringify(body))?.slice(1) ?? [];
  expect(JSON.parse(radius ?? '{}')).toEqual({ type: 'number', minimum: 0.001, maximum: 20_040_000 });
});

contract('A circle has a latitude, a longitude and a radius, each in its bounds', async ({ request }) => {
  const problem =
    'value should have a latitude (-90 to 90), a longitude (-180 to 180) and a radius (metres, 0.001 to 20040000)';
  for (const value of [
    ...[
      {},
      [],
      'Paris',
      5,
      { ...paris },
      { ...paris, radius: 0 },
      { ...paris, radius: -1 },
      { ...paris, radius: 1e-320 },
      { ...paris, radius: 0.0009 },
      { ...paris, radius: '5' },
    ],
    ...[
      { ...paris, radius: 1e9 },
      { ...paris, radius: 1, latitude: 91 },
      { ...paris, radius: 1, longitude: -181 },
    ],
    { ...paris, radius: 1, unit: 'km' },
  ])
    expectAnswer(
      await request()
        .post('/articles')
        .send({ where: where(['place', 'within', value]) }),
      400,
      clientError(`where 1: ${problem}`),
    );
  for (const text of ['1,2', '1,2,3,4', 'a,b,c', '91,0,5', '1,2,1e3', '1,2,0.0001'])
    expectAnswer(await request().get(`/simple?place=${text}`), 400, inputErrors({ place: problem }));
});
