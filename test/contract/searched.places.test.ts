import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import { idsOfPages, listing, pages, searching } from './keyset.walk.js';
import { expect } from '@jest/globals';
import { application, Article, found, where } from './searched.articles.js';

const { contract } = service(application, bothPostgresql);

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

contract('A circle has a latitude, a longitude and a radius, each in its bounds', async ({ request }) => {
  const problem =
    'value should have a latitude (-90 to 90), a longitude (-180 to 180) and a radius (metres above 0, up to 20040000)';
  for (const value of [
    ...[
      {},
      [],
      'Paris',
      5,
      { ...paris },
      { ...paris, radius: 0 },
      { ...paris, radius: -1 },
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
  for (const text of ['1,2', '1,2,3,4', 'a,b,c', '91,0,5', '1,2,1e3'])
    expectAnswer(await request().get(`/simple?place=${text}`), 400, inputErrors({ place: problem }));
});
