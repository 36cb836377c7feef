import { expect, test } from '@jest/globals';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { LibSqlDriver } from '@mikro-orm/libsql';
import { Batch, ChangeRecord, changeTriggersSql, Get, recordChanges, Update } from '@nest-endpoints/core';
import { Migrator, sqlFromEntities } from '@nest-endpoints/migrations';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import { startApplication, startUpError } from '../support/application.js';
import { connectionOf } from '../support/catalogue.js';
import { Statements } from '../support/statements.js';
import { authentication, changing, farm, Field, Hedge, Meadow, Triggers } from './changes.fields.js';
import { logOf } from './changes.town.js';

import { by } from './soft.towns.js';

const ann = by('ann');

const { contract } = service(
  {
    entities: [Field, Meadow, Hedge, ChangeRecord],
    providers: [Triggers],
    root: { changeLog: { context: ({ requestHeaders: { 'x-from': from } }) => (from ? { from } : null) } },
    endpoints: [
      ...farm(),
      new Update({
        modelClass: Meadow,
        url: 'hooked/:id',
        readableColumnNames: ['id'],
        writeableColumnNames: ['name'],
        authentication,
        beforeSave: async ({ em, record: { id } }) => {
          await em.nativeUpdate(Hedge, { meadow: id }, { length: 7 });
        },
      }),
      new Batch({ url: 'batch', wholeApplication: true, authentication }),
    ],
  },
  bothPostgresql,
);

const run = ({ orm }: Pick<Subject, 'orm'>, sql: string) => connectionOf(orm).execute<object[]>(sql);

const forget = (subject: Subject) => run(subject, 'delete from change_record');

/** The log of one of the two, without what differs by its nature: names, keys and times. */
const toldOf = async (subject: Subject, model: 'Field' | 'Meadow', path: string) => {
  const rows = (await logOf(subject)).filter((row) => row.model === model);
  const keys = [...new Set(rows.map(({ recordId }) => recordId))];
  return rows.map(
    ({ operation, recordId, before, after, withheld, actor, requestId, endpoint, context }) => ({
      ...{ operation, actor, requestId, context },
      key: keys.indexOf(recordId),
      endpoint: endpoint?.replace(path, '…'),
      withheld: withheld?.toSorted(),
      ...Object.fromEntries(
        Object.entries({ before, after }).map(([side, values]) => [
          side,
          values && { ...values, id: 'id' in values, deletedAt: values['deletedAt'] === undefined },
        ]),
      ),
    }),
  );
};

/** Writes of every sort, by requests and by a service. */
const work = async ({ request, em }: Subject, path: string, entity: typeof Field): Promise<void> => {
  const headers = { ...ann, 'X-Request-Id': 'r-1', 'X-From': 'here' };
  const sent = async (method: 'post' | 'patch' | 'put' | 'delete', url: string, body?: object) => {
    const { status, body: answer } = await request()[method](url).set(headers).send(body);
    expect([url, status, answer.input_errors]).toEqual([url, status < 300 ? status : 200, {}]);
    return answer.data;
  };
  const values = {
    name: 'One',
    size: '1.500',
    sown: '2027-05-01T10:00:00.123Z',
    tags: ['a', 'b'],
    phone: 'tel-112',
  };
  const { id } = await sent('post', `/${path}`, { code: 'one', ...values });
  await sent('patch', `/${path}/${id}`, { name: 'Two', tags: null, phone: 'tel-113' });
  await sent('patch', `/${path}/${id}`, { name: 'Two' });
  await sent('put', `/coded/${path}/two`, { name: 'New' });
  await sent('put', `/coded/${path}/two`, { name: 'Old' });
  const many = await sent('post', `/${path}/bulk`, { records: [{ code: 'x' }, { code: 'y', size: '2' }] });
  const ids = many.map((one: { readonly id: number }) => one.id);
  await sent('patch', `/${path}/bulk`, {
    records: [
      { id: ids[0], name: 'X' },
      { id: ids[1], size: '2' },
    ],
  });
  await sent('delete', `/${path}/bulk`, { ids });
  await sent('delete', `/${path}/${id}`);
  await sent('post', `/${path}/trash/${id}/restore`);
  await sent('delete', `/${path}/trash/${ids[0]}`);
  const own = em();
  const record = await own.findOneOrFail(entity, { id });
  record.name = 'Three';
  record.secret = 'hush';
  await own.flush();
  record.secret = 'other';
  await own.flush();
};

contract('A trigger tells what writes would: operations, values, names alone, and who', async (subject) => {
  await work(subject, 'fields', Field);
  await work(subject, 'meadows', Meadow as never);
  const byWrites = await toldOf(subject, 'Field', 'fields');
  expect(await toldOf(subject, 'Meadow', 'meadows')).toEqual(byWrites);
  expect(byWrites.map(({ operation }) => operation)).toEqual([
    ...['created', 'updated', 'created', 'updated', 'created', 'created', 'updated'],
    ...['deleted', 'deleted', 'deleted', 'restored', 'deleted', 'updated', 'updated'],
  ]);
  expect(byWrites[0]).toMatchObject({ actor: '|ann', requestId: 'r-1', context: { from: 'here' } });
  expect(byWrites.at(-1)).toMatchObject({ actor: null, requestId: null, withheld: ['secret'] });
  expect(JSON.stringify(await logOf(subject))).not.toMatch(/hush|tel-/);
});

contract(
  'Every statement is recorded by a trigger: of a service, of a foreign key, and TRUNCATE',
  async (subject) => {
    const { em, save, request } = subject;
    const { id } = await save(Meadow, { code: 'a', name: 'A' });
    const { id: other } = await save(Meadow, { code: 'b' });
    await save(Hedge, { length: 1, meadow: id });
    await save(Hedge, { length: 2, meadow: other });
    await forget(subject);
    await em().nativeUpdate(Meadow, { id }, { name: 'B' });
    await run(subject, `update meadow set name = 'C', phone = 'tel-112' where id = ${id}`);
    await run(subject, `update meadow set name = 'C' where id = ${id}`);
    expect(await logOf(subject)).toMatchObject([
      { operation: 'updated', before: { name: 'A' }, after: { name: 'B' }, withheld: null, actor: null },
      { operation: 'updated', before: { name: 'B' }, after: { name: 'C' }, withheld: ['phone'] },
    ]);
    await forget(subject);
    await connectionOf(subject.orm).executeDump(`
      create function public.to_jsonb(varchar) returns jsonb language sql as $$ select '"forged"'::jsonb $$;
      grant update, select on meadow to pg_monitor;
      set local search_path = public, pg_catalog; set local role pg_monitor;
      update meadow set name = 'D' where id = ${id}; update meadow set name = 'C' where id = ${id};
      reset role; revoke all on meadow from pg_monitor; drop function public.to_jsonb(varchar)`);
    expect(await logOf(subject)).toMatchObject([
      { before: { name: 'C' }, after: { name: 'D' } },
      { before: { name: 'D' }, after: { name: 'C' } },
    ]);
    await forget(subject);
    const { status } = await request().patch(`/hooked/${id}`).set(ann).send({ name: 'D' });
    expect(status).toBe(200);
    const endpoint = 'Update /hooked/:id';
    expect(await logOf(subject)).toMatchObject([
      { model: 'Hedge', before: { length: 1 }, after: { length: 7 }, actor: '|ann', endpoint },
      { model: 'Meadow', before: { name: 'C' }, after: { name: 'D' }, actor: '|ann', endpoint },
    ]);
    await forget(subject);
    await run(subject, `delete from meadow where id = ${id}`);
    expect(await logOf(subject)).toMatchObject([
      { model: 'Meadow', operation: 'deleted', recordId: String(id) },
      { model: 'Hedge', operation: 'deleted', before: { length: 7, meadow: id }, actor: null },
    ]);
    await forget(subject);
    await run(subject, 'truncate meadow cascade');
    expect(await logOf(subject)).toMatchObject([
      { operation: 'deleted', before: { code: 'b' }, after: null, withheld: ['secret', 'phone'] },
      { model: 'Hedge', operation: 'deleted', before: { length: 2, meadow: other }, after: null },
    ]);
    expect(await em().count(Meadow)).toBe(0);
  },
);

contract('Operations of a Batch are told as what they are', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Meadow, { code: 'a' });
  await forget(subject);
  const operations = [
    ...['A', 'B', 'C'].map((name, index) => {
      return { method: 'PATCH', path: `/${index === 1 ? 'meadows' : 'hooked'}/${id}`, body: { name } };
    }),
    { method: 'DELETE', path: `/meadows/${id}` },
  ];
  const { status, body } = await request().post('/batch').set(ann).send({ operations });
  expect([status, body.input_errors]).toEqual([200, {}]);
  const log = await logOf(subject);
  expect(log.map(({ operation, endpoint, actor }) => [operation, endpoint, actor])).toEqual([
    ['updated', 'Update /hooked/:id', '|ann'],
    ['updated', 'Update /meadows/:id', '|ann'],
    ['updated', 'Update /hooked/:id', '|ann'],
    ['deleted', 'Delete /meadows/:id', '|ann'],
  ]);
  expect(new Set(log.map(({ requestId }) => requestId)).size).toBe(1);
});

contract(
  'A write that a trigger records is one statement, with the sender in its message',
  async (subject) => {
    const { request, database } = subject;
    const statements = await Statements.of(subject);
    const warm = await request().post('/meadows').set(ann).send({ code: 'a' });
    const url = `/meadows/${warm.body.data.id}`;
    await request().patch(url).set(ann).send({ name: 'A' });
    const sent = await statements.during(() => request().patch(url).set(ann).send({ name: 'B' }));
    expect(sent.filter((text) => text.startsWith('select set_config'))).toHaveLength(1);
    expect(sent).toHaveLength(database === 'pglite' ? 6 : 2);
    const read = await statements.during(() => request().get(url).set(ann));
    expect(read).toHaveLength(1);
    const other = await request().post('/fields').set(ann).send({ code: 'a' });
    const plain = await statements.during(() =>
      request().patch(`/fields/${other.body.data.id}`).set(ann).send({ name: 'B' }),
    );
    expect(plain.some((text) => text.startsWith('select set_config'))).toBe(database === 'pglite');
  },
);

contract(
  'Where a trigger cannot write the log nothing is written, and the answer is a 500',
  async (subject) => {
    const { request, em } = subject;
    const { body } = await request().post('/meadows').set(ann).send({ code: 'a' });
    await run(subject, 'alter table change_record add constraint full_table check (id < 0) not valid');
    try {
      const answers = [
        await request().post('/meadows').set(ann).send({ code: 'b' }),
        await request().patch(`/meadows/${body.data.id}`).set(ann).send({ name: 'B' }),
        await request().delete(`/meadows/${body.data.id}`).set(ann),
        await request()
          .post('/meadows/bulk')
          .set(ann)
          .send({ records: [{ code: 'c' }] }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    } finally {
      await run(subject, 'alter table change_record drop constraint full_table');
    }
    expect(await em().findAll(Meadow, { filters: false })).toMatchObject([{ code: 'a', name: null }]);
  },
);

test('Triggers come with sqlFromEntities, and a start without them stops', async () => {
  const starting = async (change: (orm: MikroORM) => Promise<unknown>): Promise<string> => {
    try {
      const started = await startApplication('express', 'postgresql', {
        entities: [Field, Meadow, Hedge, ChangeRecord],
        providers: [changing(change)],
        endpoints: farm(),
        route: 'direct',
      });
      await started.close();
      return 'started';
    } catch (error) {
      return String(error);
    }
  };
  const [ran, plans]: [string[], string[]] = [[], []];
  expect(await starting(() => Promise.resolve())).toMatch(
    /recordChanges\(\w+\): capture: the trigger change_record_row of "public"\."(meadow|hedge ""row"")" is missing/,
  );
  const off = 'alter table meadow disable trigger change_record_row';
  const isOff = starting(async (orm) => {
    await connectionOf(orm).executeDump(`${changeTriggersSql(orm.em)}${off}`);
  });
  expect(await isOff).toMatch(/change_record_row of "public"."meadow" is off/);
  const migrated = starting(async (orm) => {
    const migrator = new Migrator({ cursor: orm, sql: [sqlFromEntities()] });
    ran.push(...(await migrator.run('apply')));
    plans.push(...(await migrator.run('plan')));
  });
  expect(await migrated).toBe('started');
  expect(ran.join('\n').match(/create trigger/gi)).toHaveLength(4);
  expect(plans).toEqual([]);
});

test('A trigger is refused where none can record', async () => {
  const Plain = defineEntity({ name: 'Plain', properties: { id: p.integer().primary() } });
  const Chosen = defineEntity({ name: 'Chosen', schema: '*', properties: { id: p.integer().primary() } });
  recordChanges(Plain, { keepFor: 'forever', capture: 'trigger' });
  recordChanges(Chosen, { keepFor: 'forever', capture: 'trigger' });
  const get = (modelClass: typeof Plain) =>
    new Get({ modelClass, url: 'plain/:id', readableColumnNames: ['id'] });
  const message = (modelClass: typeof Plain, orm = {}) =>
    startUpError({ entities: [modelClass, ChangeRecord], endpoints: [get(modelClass)], orm });
  expect(await message(Plain, { driver: LibSqlDriver, dbName: ':memory:' })).toBe(
    "recordChanges(Plain): capture: 'trigger' needs PostgreSQL; allowed on this database: writes",
  );
  expect(await message(Chosen as never)).toMatch(/capture: 'trigger' needs one table/);
  expect(() => {
    recordChanges(Field, { keepFor: 'forever', capture: 'triggers' as never });
  }).toThrow(/capture.*allowed: writes, trigger/);
});
