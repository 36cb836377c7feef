import { expect } from '@jest/globals';
import { ChangeRecord } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { pretendVersion } from '../support/older.server.js';
import { Statements } from '../support/statements.js';
import { heldUp } from '../support/waits.js';
import { Crate, pastOfCrates } from './changes.shops.js';
import { City, Country, toldBy, town } from './changes.town.js';

const { contract } = service(
  town({ entities: [City, Country, ChangeRecord, Crate], endpoints: pastOfCrates() }),
  once,
);

const ann = { 'X-Claims': JSON.stringify({ sub: 'ann' }) };

/** A writer whose statements are held up by the locks of somebody else. */
const other = async (subject: Subject) => {
  const one = subject.em().fork();
  await one.begin();
  const run = (sql: string) => one.getConnection().execute(sql, [], 'all', one.getTransactionContext());
  return { run, heldUp: () => heldUp(subject), commit: () => one.commit() };
};

contract('A recorded write is one statement on a server that returns no old values, too', async (subject) => {
  const { request, save } = subject;
  await pretendVersion(subject, 170004);
  const statements = await Statements.of(subject);
  const { id: crate } = await save(Crate, { name: 'Apples' });
  const country = await save(Country, { name: 'France' });
  const put = (code: string, body: object) => () => request().put(`/coded/${code}`).set(ann).send(body);
  // The catalogue is asked by the first write of each endpoint.
  const created = await put('warm', { name: 'Warm' })();
  const id = Number(created.body.data.id);
  const patch = (body: object) => () => request().patch(`/cities/${id}`).set(ann).send(body);
  await patch({ name: 'Warmer' })();
  await request().delete(`/crates/${crate}`);
  await request().post(`/crates/${crate}/restore`);
  await subject.em().nativeDelete(ChangeRecord, {});
  const works: (() => PromiseLike<{ readonly status: number }>)[] = [
    patch({ name: 'B', phone: '1', country_id: country.id }),
    put('lyon', { name: 'Lyon', population: 1 }),
    put('lyon', { name: 'Lyon', population: 2 }),
    () => request().delete(`/crates/${crate}`),
    () => request().post(`/crates/${crate}/restore`),
  ];
  const seen: unknown[] = [];
  for (const work of works) {
    let status = 0;
    const sent = await statements.during(async () => ({ status } = await work()));
    seen.push([status, sent.length, sent.filter((text) => text.includes('"old"')).length]);
  }
  expect(seen).toEqual([200, 201, 200, 200, 200].map((status) => [status, 1, 0]));
  const logged = (await toldBy(subject)).map(({ recordId: _, ...rest }) => rest);
  expect(logged).toMatchObject([
    {
      operation: 'updated',
      before: { name: 'Warmer', country: null, version: 2 },
      after: { name: 'B', country: country.id, version: 3 },
      withheld: ['phone'],
    },
    { operation: 'created', before: null, after: { code: 'lyon', population: 1, version: 1 } },
    {
      operation: 'updated',
      before: { population: 1, version: 1 },
      after: { population: 2, version: 2 },
      withheld: null,
    },
    { operation: 'deleted', before: { version: 3 }, after: { version: 4 }, withheld: ['deletedAt'] },
    { operation: 'restored', before: { version: 4 }, after: { version: 5 }, withheld: ['deletedAt'] },
  ]);
});

contract('A write that changes nothing has no row there, and a missing record is one', async (subject) => {
  const { request } = subject;
  await pretendVersion(subject, 170004);
  const put = () => request().put('/coded/lyon').set(ann).send({ name: 'Lyon' });
  const { body } = await put();
  const path = `/cities/${Number(body.data.id)}`;
  const patch = (url: string, tag?: string) =>
    request()
      .patch(url)
      .set({ ...ann, ...(tag !== undefined && { 'If-Match': tag }) })
      .send({ name: 'Lyon' });
  expect((await put()).status).toBe(200);
  expect((await patch(path)).status).toBe(200);
  expect((await patch('/cities/999999')).status).toBe(404);
  const stale = await request()
    .patch(path)
    .set({ ...ann, 'If-Match': '"7"' })
    .send({ name: 'X' });
  expect(stale.status).toBe(412);
  expect((await toldBy(subject)).map(({ operation }) => operation)).toEqual(['created']);
});

contract('The log has what a record was when it was locked there, too', async (subject) => {
  const { request } = subject;
  await pretendVersion(subject, 170004);
  const put = (body: object) => request().put('/coded/lyon').set(ann).send(body);
  const { body } = await put({ name: 'Lyon', population: 1 });
  const path = `/cities/${Number(body.data.id)}`;
  const patch = (population: number) => request().patch(path).set(ann).send({ population });
  await patch(0);
  for (const [population, send] of [
    [2, () => patch(3)],
    [5, () => put({ name: 'Lyon', population: 6 })],
  ] as const) {
    const { run, heldUp, commit } = await other(subject);
    await run(`update city set population = ${population}, version = version + 1 where code = 'lyon'`);
    const sent = Promise.resolve(send());
    await heldUp();
    await commit();
    expect((await sent).status).toBe(200);
    expect((await toldBy(subject)).at(-1)).toMatchObject({
      before: { population },
      after: { population: population + 1 },
    });
  }
});

contract('A record that somebody makes meanwhile is changed and told as it was', async (subject) => {
  const { request } = subject;
  await pretendVersion(subject, 170004);
  const put = (code: string, population: number) =>
    request().put(`/coded/${code}`).set(ann).send({ name: 'Nice', population });
  await put('warm', 1);
  const { run, heldUp, commit } = await other(subject);
  await run(
    `insert into city (code, name, population, updated, version) values ('nice', 'Nice', 1, now(), 1)`,
  );
  const sent = Promise.resolve(put('nice', 2));
  await heldUp();
  await commit();
  expect((await sent).status).toBe(200);
  expect((await toldBy(subject)).at(-1)).toMatchObject({
    operation: 'updated',
    before: { population: 1 },
    after: { population: 2 },
  });
});
