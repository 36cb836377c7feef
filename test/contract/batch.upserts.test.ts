import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Batch, CreateMany, EndpointGroup, softDelete, Upsert } from '@nest-endpoints/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { connectionOf } from '../support/catalogue.js';
import { heldUp } from '../support/waits.js';
import type { ApplicationOptions } from '../support/application.js';
import { bothPostgresql, service, type Subject } from '../support/contract.js';

const Land = defineEntity({
  name: 'Land',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().unique(),
    name: p.string().nullable(),
    isHidden: p.boolean().default(false),
    deletedAt: p.datetime().nullable(),
  },
});
softDelete(Land, { columnName: 'deletedAt' });

const lands = {
  modelClass: Land,
  readableColumnNames: ['code', 'name'],
  writeableColumnNames: ['code', 'name'],
  conflictColumnNames: ['code'],
} as const;

/** Its keys are the same whatever case their letters have. */
const Street = defineEntity({
  name: 'Street',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().columnType('varchar(20) collate "und-x-any-case"').unique(),
    name: p.string().nullable(),
  },
});

const anyCase = `create collation "und-x-any-case" (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`;

const hooks = { afterSave: () => undefined };
const own = { where: ['isHidden=false'] } as const;

const options = {
  entities: [Land],
  endpoints: [
    new EndpointGroup({
      endpoints: [
        new Batch({ url: 'batch' }),
        new Upsert({ ...lands, ...own, url: 'lands/:code' }),
        new Upsert({ ...lands, ...own, ...hooks, url: 'hooked/:code' }),
        new CreateMany({ ...lands, ...own, ...hooks, url: 'many', onConflict: 'update' }),
        new CreateMany({ ...lands, ...own, ...hooks, url: 'ignoring', onConflict: 'ignore' }),
      ],
    }),
  ],
} satisfies ApplicationOptions;
const { contract } = service(options, bothPostgresql);
const { contract: onServer } = service(
  options,
  bothPostgresql.filter(({ database }) => database === 'postgresql'),
);

const batch = ({ request }: Subject, ...operations: object[]) =>
  request().post('/batch').send({ operations });

const seed = async ({ em }: Subject): Promise<void> => {
  const fork = em();
  fork.create(Land, { code: 'trash', deletedAt: new Date() });
  fork.create(Land, { code: 'hidden', isHidden: true });
  await fork.flush();
};

const taken = "Invalid value for 'code': the given value already exists, and must be unique.";

contract(
  'An Upsert of a batch that meets a record which is not to be seen is told as one alone is',
  async (subject) => {
    await seed(subject);
    for (const path of ['/lands', '/hooked'])
      for (const code of ['trash', 'hidden']) {
        const alone = await subject.request().put(`${path}/${code}`).send({ name: 'new' });
        expect([alone.status, alone.body.input_errors]).toEqual([400, { code: taken }]);
        const { status, body } = await batch(
          subject,
          { method: 'PUT', path: `${path}/first`, body: { name: 'first' } },
          { method: 'PUT', path: `${path}/${code}`, body: { name: 'new' } },
        );
        expect([path, status, body.input_errors]).toEqual([path, 400, { 'operations.1.body.code': taken }]);
      }
    expect(await subject.count(Land)).toBe(2);
  },
);

contract('So is one of many records', async (subject) => {
  await seed(subject);
  for (const path of ['/many', '/ignoring'])
    for (const code of ['trash', 'hidden']) {
      // Another record has the first's letters in another case.
      const body = { records: [{ code: code.toUpperCase() }, { code }] };
      const alone = await subject.request().post(path).send(body);
      expect([path, alone.status, alone.body.input_errors]).toEqual([path, 400, { 'records.1.code': taken }]);
      const answer = await batch(subject, { method: 'POST', path, body });
      expect([path, answer.status, answer.body.input_errors]).toEqual([
        path,
        400,
        { 'operations.0.body.records.1.code': taken },
      ]);
    }
  expect(await subject.count(Land)).toBe(2);
});

contract(
  'An Upsert of a batch with If-None-Match: * is refused where the record is there, as one alone is',
  async (subject) => {
    await subject.save(Land, { code: 'there' });
    const headers = { 'if-none-match': '*' };
    for (const path of ['/lands', '/hooked']) {
      const put = (code: string) => ({
        method: 'PUT',
        path: `${path}/${code}`,
        headers,
        body: { name: 'n' },
      });
      const alone = await subject.request().put(`${path}/there`).set(headers).send({ name: 'n' });
      expect(alone.status).toBe(412);
      const refused = await batch(subject, put(`new${path.slice(1)}`), put('there'));
      expect([refused.status, refused.body.error]).toEqual([412, 'operations.1: Precondition Failed']);
      expect(await subject.count(Land)).toBe(path === '/lands' ? 1 : 2);
      const created = await batch(subject, put(`new${path.slice(1)}`));
      expect(created.body.data).toMatchObject([{ status_code: 201 }]);
    }
  },
);

contract(
  'Of batches that put the same new record at once, one creates it and the others change it',
  async (subject) => {
    for (const path of ['/lands', '/hooked', '/many']) {
      const put = (name: string) =>
        path === '/many'
          ? { method: 'POST', path, body: { records: [{ code: path, name }] } }
          : { method: 'PUT', path: `${path}/${encodeURIComponent(path)}`, body: { name } };
      const answers = await Promise.all(['1', '2', '3', '4', '5'].map((name) => batch(subject, put(name))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    }
    expect(await subject.count(Land)).toBe(3);
  },
);

onServer(
  'An Upsert of a batch waits for the record that somebody creates meanwhile, and changes it',
  async (subject) => {
    for (const path of ['/hooked', '/many']) {
      const code = path.slice(1);
      const answer = await (subject.em() as SqlEntityManager).transactional(async (em) => {
        await em.execute(`insert into land (code, name, is_hidden) values ('${code}', 'theirs', false)`);
        const body = { name: 'ours' };
        const sent = batch(
          subject,
          path === '/many'
            ? { method: 'POST', path, body: { records: [{ code, ...body }] } }
            : { method: 'PUT', path: `${path}/${code}`, body },
        ).then((one) => one);
        await heldUp(subject);
        return { sent };
      });
      expect((await answer.sent).status).toBe(200);
    }
    expect((await subject.em().find(Land, {}, { orderBy: { id: 1 } })).map(({ name }) => name)).toEqual([
      'ours',
      'ours',
    ]);
  },
);

onServer(
  'Records whose keys differ in letter case alone stay two, whoever creates one of them meanwhile',
  async (subject) => {
    const both = { records: ['x', 'X'].map((code) => ({ code, name: 'ours' })) };
    for (const [send, status] of [
      [() => batch(subject, { method: 'POST', path: '/many', body: both }), 200],
      [() => subject.request().post('/many').send(both), 201],
    ] as const) {
      await subject.em().nativeDelete(Land, {});
      const { sent } = await (subject.em() as SqlEntityManager).transactional(async (em) => {
        await em.execute("insert into land (code, name, is_hidden) values ('x', 'theirs', false)");
        const begun = send().then((one) => one);
        await heldUp(subject);
        return { sent: begun };
      });
      expect((await sent).status).toBe(status);
      const stored = await subject.em().find(Land, {});
      expect(stored.map(({ code, name }) => `${code} ${name}`).sort()).toEqual(['X ours', 'x ours']);
    }
  },
);

const { contract: inAnyCase } = service(
  {
    entities: [Street],
    tables: async (orm) => {
      await connectionOf(orm).execute(anyCase);
      await orm.schema.create();
    },
    endpoints: [
      new Batch({ url: 'batch', wholeApplication: true }),
      new CreateMany({
        modelClass: Street,
        url: 'streets',
        readableColumnNames: ['code', 'name'],
        writeableColumnNames: ['code', 'name'],
        conflictColumnNames: ['code'],
        onConflict: 'update',
      }),
    ],
  },
  bothPostgresql.filter(({ database }) => database === 'postgresql'),
);

inAnyCase(
  'Two records of one value that are spelled in two ways are refused in a batch as alone',
  async (subject) => {
    const body = { records: [{ code: 'a' }, { code: 'A' }] };
    const alone = await subject.request().post('/streets').send(body);
    const [[place, message] = []] = Object.entries(alone.body.input_errors as Record<string, string>);
    expect([alone.status, place]).toEqual([400, 'records.1.code']);
    const { status, body: answer } = await batch(subject, { method: 'POST', path: '/streets', body });
    expect([status, answer.input_errors]).toEqual([400, { [`operations.0.body.${String(place)}`]: message }]);
  },
);
