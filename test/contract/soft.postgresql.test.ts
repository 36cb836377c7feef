import { expect } from '@jest/globals';
import { once, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { by, Hut, Note, softly, Town, Trip } from './soft.towns.js';

const { contract } = service(softly(), once);

const ann = by('ann');

const statusOf = async (answer: PromiseLike<{ readonly status: number }>) => (await answer).status;

const execute = ({ em }: Subject, sql: string) =>
  em().getConnection().execute<Record<string, unknown>[]>(sql);

contract('A list has one condition more, and all of it is one statement', async (subject) => {
  const { request, save } = subject;
  const statements = await Statements.of(subject);
  const { id } = await save(Hut, { code: 'A' });
  const ways = async (work: () => PromiseLike<unknown>) => {
    await work();
    return statements.during(work);
  };
  expect(await ways(() => request().get('/huts?limit=5'))).toEqual([
    expect.stringMatching(
      / from "hut" as "e0" where "e0"."deleted_at" is null order by "e0"."id" asc limit /,
    ),
  ]);
  expect(await ways(() => request().get(`/huts/${id}`))).toEqual([
    expect.stringMatching(/ from "hut" as "e0" where "e0"."id" = \$1 and "e0"."deleted_at" is null$/),
  ]);
  expect(await ways(() => request().get(`/huts/trash/${id}`))).toEqual([
    expect.stringMatching(/ from "hut" as "e0" where "e0"."id" = \$1 and "e0"."deleted_at" is not null$/),
  ]);
  const huts = [
    await save(Hut, { code: 'B' }),
    await save(Hut, { code: 'C' }),
    await save(Hut, { code: 'D' }),
  ];
  await request().delete(`/huts/${id}`);
  const [, one, two] = huts.map((hut) => hut.id);
  const deletes = await statements.during(() => request().delete(`/huts/${one ?? 0}`));
  expect(deletes).toEqual([
    expect.stringMatching(/^update "hut" as "e0" set .* and "e0"."deleted_at" is null and /),
  ]);
  const restores = await ways(() => request().post(`/huts/trash/${one ?? 0}/restore`));
  expect(restores.length).toBeLessThan(7);
  await request().delete(`/huts/${two ?? 0}`);
  expect(await statements.during(() => request().post(`/huts/trash/${two ?? 0}/restore`))).toEqual([
    expect.stringMatching(/^update "hut" as "e0" set .* and "e0"."deleted_at" is not null and /),
  ]);
});

contract('An Upsert, of one and of many, is one statement beside deleted records', async (subject) => {
  const { request, save } = subject;
  const statements = await Statements.of(subject);
  const { id } = await save(Hut, { code: 'A' });
  await request().delete(`/huts/${id}`);
  const put = (name: string) => () => request().put('/put/huts').send({ code: 'B', name });
  await put('One')();
  expect(await statements.during(put('Two'))).toEqual([
    expect.stringContaining('on conflict ("code") where "deleted_at" is null do update set'),
  ]);
  const send = (name: string) => () =>
    request()
      .post('/many/huts')
      .send({ records: [{ code: 'A', name }] });
  await send('One')();
  expect(await statements.during(send('Two'))).toEqual([
    expect.stringContaining('on conflict ("code") where "deleted_at" is null do update set'),
  ]);
});

contract('A key of a record that may be deleted is written with that record held', async (subject) => {
  const { request, save } = subject;
  const statements = await Statements.of(subject);
  const { id } = await save(Town, { code: 'A', name: 'Ayr' });
  await request().post('/trips').send({ title: 'One', town_id: id });
  const inserts = await statements.during(() => request().post('/trips').send({ title: 'Two', town_id: id }));
  expect(inserts).toEqual([
    expect.stringMatching(
      /insert into "trip" as "e0" \(.*\) select .* where exists \(select 1 from "town" as "e\d" where .* and "e\d"."deleted_at" is null for share\)/,
    ),
  ]);
  const bulk = await statements.during(() =>
    request()
      .post('/trips/bulk')
      .send({ records: [{ title: 'Three', town_id: id }] }),
  );
  expect(bulk).toEqual([expect.stringContaining('"deleted_at" is null for share)')]);
});

contract('What goes along is held, and so is the parent of what comes back', async (subject) => {
  const { request, save } = subject;
  const statements = await Statements.of(subject);
  const town = await save(Town, { code: 'A', name: 'Ayr' });
  const live = await save(Town, { code: 'B', name: 'Bonn' });
  await save(Note, { text: 'One', town: town.id });
  const note = await save(Note, { text: 'Two', town: live.id });
  const deleted = await statements.during(() => request().delete(`/towns/${town.id}`).set(ann));
  expect(deleted).toContainEqual(expect.stringMatching(/^select .* from "note" .* for update$/));
  expect(await statusOf(request().delete(`/notes/${note.id}`))).toBe(200);
  const restored = await statements.during(() => request().post(`/notes/trash/${note.id}/restore`));
  expect(restored).toContainEqual(expect.stringMatching(/^select .* from "town" .* for share$/));
});

contract('No live child is under a deleted parent, however they are written at once', async (subject) => {
  const { request, save } = subject;
  for (let round = 0; round < 125; round += 1) {
    const towns = await Promise.all(
      [0, 1, 2, 3].map((nth) => save(Town, { code: `${round}-${nth}`, name: 'Ayr' })),
    );
    const answers = await Promise.all(
      towns.flatMap(({ id }, nth) => {
        const isTrip = nth % 2 === 0;
        const path = isTrip ? '/trips' : '/notes';
        const child = { [isTrip ? 'title' : 'text']: 'One', town_id: id };
        const made =
          nth < 2
            ? request().post(path).send(child)
            : request()
                .post(`${path}/bulk`)
                .send({ records: [child] });
        return [made, request().delete(`/towns/${id}`).set(ann)];
      }),
    );
    expect(answers.filter(({ status }) => ![200, 201, 400, 409].includes(status))).toEqual([]);
  }
  for (const table of ['trip', 'note'])
    expect(
      await execute(
        subject,
        `select c.id from ${table} c join town t on t.id = c.town_id where c.deleted_at is null and t.deleted_at is not null`,
      ),
    ).toEqual([]);
});

contract('More than 10,000 records do not go along, and nothing is deleted', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Town, { code: 'A', name: 'Ayr' });
  await execute(
    subject,
    `insert into note (text, town_id, version) select 'n', ${id}, 1 from generate_series(1, 10001)`,
  );
  const refused = await request().delete(`/towns/${id}`).set(ann);
  expect([refused.status, refused.body.error]).toEqual([
    409,
    'More than 10000 other records would be deleted with this record',
  ]);
  const live = `select count(*)::int as n from note where deleted_at is null`;
  expect(await execute(subject, live)).toEqual([{ n: 10001 }]);
  expect(await statusOf(request().get(`/towns/${id}`).set(ann))).toBe(200);
  await execute(subject, 'delete from note where id in (select id from note limit 1)');
  expect(await statusOf(request().delete(`/towns/${id}`).set(ann))).toBe(200);
  expect(await execute(subject, live)).toEqual([{ n: 0 }]);
  expect(await statusOf(request().post(`/towns/trash/${id}/restore`).set(ann))).toBe(200);
  expect(await execute(subject, live)).toEqual([{ n: 10000 }]);
});

contract('A Restore and a new record with its value are not both live', async (subject) => {
  const { request, save, em } = subject;
  for (let round = 0; round < 20; round += 1) {
    const { id } = await save(Hut, { code: `R${round}` });
    await request().delete(`/huts/${id}`);
    const [restored, made] = await Promise.all([
      request().post(`/huts/trash/${id}/restore`),
      request()
        .post('/huts')
        .send({ code: `R${round}` }),
    ]);
    expect([restored.status === 200, made.status === 201].filter(Boolean)).toHaveLength(1);
  }
  expect(await em().fork().count(Hut, { deletedAt: null })).toBe(20);
  expect([Note, Trip].length).toBe(2);
});

contract(
  'Marks that something else has written bring back what has the same millisecond',
  async (subject) => {
    const { request, save, em } = subject;
    const town = await save(Town, { code: 'A', name: 'Ayr' });
    await save(Note, { text: 'along', town: town.id });
    await save(Note, { text: 'before', town: town.id });
    await save(Note, { text: 'after', town: town.id });
    await execute(subject, `update "town" set "deleted_at" = '2026-11-27T10:00:00.123456Z'`);
    await execute(subject, `update "note" set "deleted_at" = '2026-11-27T10:00:00.123456Z'`);
    await execute(
      subject,
      `update "note" set "deleted_at" = '2026-11-27T10:00:00.122999Z' where "text" = 'before'`,
    );
    await execute(
      subject,
      `update "note" set "deleted_at" = '2026-11-27T10:00:00.124Z' where "text" = 'after'`,
    );
    expect(await statusOf(request().post(`/towns/trash/${town.id}/restore`).set(ann))).toBe(200);
    const notes = await em()
      .fork()
      .find(Note, {}, { orderBy: { id: 'asc' } });
    expect(notes.map(({ text, deletedAt }) => [text, deletedAt === null])).toEqual([
      ['along', true],
      ['before', false],
      ['after', false],
    ]);
  },
);
