import { expect } from '@jest/globals';
import { EndpointGroup } from '@nest-endpoints/core';
import { Migrations, sqlFromEntities, type MigrationsOptions } from '@nest-endpoints/migrations';
import { clientError, expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { Note, pets, tables, withoutPets } from './migrations.note.js';

const migrations = (url: string, options: MigrationsOptions) =>
  new Migrations({ unmanaged: ['public.note'], requestMethods: ['GET', 'POST'], ...options, url });
const open = { allowInput: true, allowUnauthenticated: true } as const;

const { contract } = service(
  {
    entities: [Note],
    // Migrations need sessions of their own.
    route: 'direct',
    endpoints: [
      new Migrations({ url: 'usual', sql: [pets] }),
      new Migrations({ url: 'usual/apply', sql: [pets], command: 'apply' }),
      new Migrations({ url: 'whole', sql: [sqlFromEntities(), pets], command: 'plan' }),
      migrations('fixed', { sql: [pets] }),
      migrations('plan', { sql: [pets], command: 'plan' }),
      migrations('apply', { sql: [pets], command: 'apply' }),
      migrations('checked', { sql: [pets], command: 'check' }),
      migrations('open', { ...open, sql: [pets] }),
      migrations('bare', open),
      migrations('guarded', { allowInput: true, sql: [pets], authentication: new Claims() }),
      migrations('lossy', { ...open, allowDestructive: true }),
      new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: [migrations('open', open)] }),
    ],
  },
  postgresqlOnly,
);

/** Asks an endpoint that takes input, by POST. */
const ask = async ({ request }: Subject, command: string, sql?: unknown, url = '/open') =>
  request().post(url).send({ command, sql });

contract('version answers this package, the diff tool and the database', async ({ request, database }) => {
  const { status, body } = await request().get('/open?command=version');
  expect([status, body.status, body.data]).toEqual([
    200,
    'success',
    [
      expect.stringMatching(/^@nest-endpoints\/migrations \d+\.\d+\.\d+$/),
      '@supabase/pg-delta 1.0.0-alpha.34',
      expect.stringMatching(/^PostgreSQL \d+/),
    ],
  ]);
  expect(body.data[2].includes('PGlite')).toBe(database === 'pglite');
});

contract('Without a command Migrations answers the version', async ({ request }) => {
  const { body } = await request().get('/fixed');
  expect(body.data[0]).toMatch(/^@nest-endpoints\/migrations/);
});

contract('check answers an empty list when the SQL makes a schema', async (subject) => {
  expectAnswer(await ask(subject, 'check'), 200, success([]));
});

contract('check does not look at what the database has', async (subject) => {
  await withoutPets(subject);
  expectAnswer(await ask(subject, 'check', ['create table other (id int)']), 200, success([]));
  expect(await tables(subject)).toEqual([]);
});

contract('An error in the SQL is a 400 with entry, line and column', async (subject) => {
  const wrong = ['create table a (id int);\ncreate table b (id int,, name text);'];
  expectAnswer(
    await ask(subject, 'check', wrong),
    400,
    clientError('sql[0]:2:24: syntax error at or near ","'),
  );
});

contract('Every statement that does not work has a line of its own', async (subject) => {
  const wrong = [
    'create table a (id nope);',
    'create table b (id int);\n  create view v as select x from b;',
  ];
  const error = ['sql[0]:1:20: type "nope" does not exist', 'sql[1]:2:27: column "x" does not exist'].join(
    '\n',
  );
  expectAnswer(await ask(subject, 'plan', wrong), 400, clientError(error));
});

contract('plan answers the statements in their order and changes nothing', async (subject) => {
  await withoutPets(subject);
  const sql = [`create table toy (id int primary key, pet_id int references pet);`, pets];
  const { status, body } = await ask(subject, 'plan', sql);
  expect(status).toBe(200);
  expect(body.data).toEqual([
    expect.stringMatching(/^CREATE TABLE "public"\."pet"/),
    expect.stringMatching(/^CREATE TABLE "public"\."toy"/),
    expect.stringMatching(/FOREIGN KEY \(pet_id\) REFERENCES public\.pet/),
  ]);
  expect(await tables(subject)).toEqual([]);
});

contract('plan answers an empty list when the schema is the target', async (subject) => {
  await withoutPets(subject);
  await subject.request().post('/apply');
  expectAnswer(await subject.request().get('/plan'), 200, success([]));
});

contract('plan_export answers what the database has and the target has otherwise', async (subject) => {
  await withoutPets(subject);
  await subject.request().post('/apply');
  const same = await ask(subject, 'plan_export');
  expectAnswer(same, 200, success([]));
  const { body } = await ask(subject, 'plan_export', [
    'create table pet (id int primary key, name text, age int)',
  ]);
  expect(body.data).toEqual([
    expect.stringMatching(/^CREATE TABLE "public"\."pet" \("id" integer NOT NULL, "name" text, /),
  ]);
  expectAnswer(await ask(subject, 'check', body.data), 200, success([]));
});

contract('apply by POST makes the schema the target and answers what it ran', async (subject) => {
  await withoutPets(subject);
  const { status, body } = await subject.request().post('/apply');
  expect([status, body.data]).toEqual([200, [expect.stringMatching(/^CREATE TABLE "public"\."pet"/)]]);
  expect(await tables(subject)).toEqual(['pet']);
  expectAnswer(await subject.request().post('/apply'), 200, success([]));
});

contract('apply by GET is a 400 that says to use POST', async (subject) => {
  await withoutPets(subject);
  const error = clientError('The command apply changes the database: send it with POST');
  expectAnswer(await subject.request().get('/apply'), 400, error);
  expectAnswer(await subject.request().get('/open?command=apply'), 400, error);
  expect((await subject.request().head('/apply')).status).toBe(400);
  expect(await tables(subject)).toEqual([]);
});

contract('check by GET is a 400 where a request may say what is run', async ({ request }) => {
  const error = clientError('The command check runs what it is sent: send it with POST');
  for (const path of ['/open?command=check', '/open?command=check&sql=create%20table%20a%20()'])
    expectAnswer(await request().get(path), 400, error);
  expectAnswer(await request().get('/checked'), 200, success([]));
  expectAnswer(await request().post('/open?command=check'), 200, success([]));
});

contract(
  'SQL of a request by GET is a 400 whatever the command is, and nothing of it runs',
  async (subject) => {
    const { request } = subject;
    const started =
      'create function f() returns int language plpgsql as $$ begin perform pg_sleep(20); return 1; end $$';
    const sql = `${started}; create materialized view m as select f()`;
    for (const command of ['version', 'check', 'plan', 'plan_export'])
      expectAnswer(
        await request().get('/open').query({ command, sql }),
        400,
        clientError(`The command ${command} runs what it is sent: send it with POST`),
      );
    const quick = { command: 'plan', sql: 'create table account (id int)' };
    expect((await request().post('/open').query(quick)).status).toBe(200);
  },
);

contract('An unknown command is input_errors on command with the five that there are', async (subject) => {
  for (const command of ['drop', 'toString', '__proto__', '']) {
    const message = `Invalid command: I received '${command}' but it must be one of version, check, plan, plan_export, apply`;
    expectAnswer(await ask(subject, command), 400, inputErrors({ command: message }));
  }
  const { body } = await subject
    .request()
    .post('/open')
    .send({ command: ['apply'] });
  expect(body.input_errors.command).toMatch(/^Invalid command: I received '\["apply"\]'/);
});

contract('Migrations answers GET alone by default', async ({ request }) => {
  expect((await request().get('/usual')).status).toBe(200);
  expectAnswer(await request().post('/usual'), 404, notFound);
  expectAnswer(
    await request().get('/usual/apply'),
    400,
    clientError(
      'The command apply changes the database: send it with POST, which requestMethods of the endpoint must name',
    ),
  );
});

contract(
  'Without allow_input a request that brings command or sql is a 400 that says so',
  async (subject) => {
    await withoutPets(subject);
    const { request } = subject;
    const error = (name: string) =>
      clientError(`'${name}' cannot be sent: allowInput of this endpoint is not set`);
    expectAnswer(await request().get('/fixed?command=plan'), 400, error('command'));
    expectAnswer(await request().get('/usual?sql=nonsense'), 400, error('sql'));
    expectAnswer(await request().post('/fixed').send({ command: 'apply' }), 400, error('command'));
    expectAnswer(
      await request()
        .post('/apply')
        .send({ sql: ['nonsense'] }),
      400,
      error('sql'),
    );
    expect(await tables(subject)).toEqual([]);
  },
);

contract('With allow_input sql comes from the query string or the body', async ({ request }) => {
  const sql = 'create table account (id int)';
  const query = await request().post('/bare').query({ command: 'plan', sql });
  const body = await request().post('/bare').send({ command: 'plan', sql });
  const list = await request()
    .post('/bare')
    .send({ command: 'plan', sql: ['', sql] });
  expect(query.body.data).toEqual([expect.stringContaining('CREATE TABLE "public"."account"')]);
  expect([body.body, list.body]).toEqual([query.body, query.body]);
});

contract('A command without sql is input_errors on sql', async (subject) => {
  for (const sql of [undefined, [], [' ']])
    expectAnswer(await ask(subject, 'plan', sql, '/bare'), 400, inputErrors({ sql: "'sql' is required." }));
});

contract('sql that is no list of strings is input_errors on sql', async (subject) => {
  for (const sql of [5, { a: 1 }, [5], [['create table a (id int)']], null])
    expectAnswer(
      await ask(subject, 'plan', sql),
      400,
      inputErrors({ sql: 'value should be a list of strings' }),
    );
});

contract('Parameters that Migrations does not know are refused', async ({ request }) => {
  expectAnswer(
    await request().get('/open?comand=plan'),
    400,
    clientError("Unknown parameter 'comand' in the query string"),
  );
  expectAnswer(
    await request().post('/open').send({ allowDestructive: true }),
    400,
    clientError("Unknown parameter 'allowDestructive' in the body"),
  );
  expectAnswer(
    await request().post('/open?command=plan').send({ command: 'plan' }),
    400,
    clientError("'command' is given in both the body and the query string"),
  );
});

contract('sql of a request is never a path of the server', async (subject) => {
  for (const path of ['/etc/passwd', 'package.json', '.']) {
    const { status, body } = await ask(subject, 'check', [path]);
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/^sql\[0\]:1:\d+: syntax error at or near "\S{1,8}"$/),
    ]);
  }
});

contract(
  'An endpoint with authentication takes input of those who prove who they are',
  async ({ request }) => {
    expect((await request().post('/guarded?command=check')).status).toBe(401);
    expect((await request().get('/guarded?command=plan')).status).toBe(401);
    const { status } = await request().post('/guarded?command=check').set('X-Claims', '{}');
    expect(status).toBe(200);
  },
);

contract('Words and input errors of Migrations have the casing of the endpoint', async ({ request }) => {
  const { body } = await request()
    .post('/title/open')
    .send({ Command: 'plan', Sql: ['create table account (id int)'] });
  expect([body.Status, body.Data.length]).toEqual(['Success', 1]);
  const wrong = await request().post('/title/open').send({ Command: 'no' });
  expect(wrong.body.InputErrors.Command).toMatch(/^Invalid command/);
});

contract('The tables of the entities can be part of the target', async (subject) => {
  await withoutPets(subject);
  const { body } = await subject.request().get('/whole');
  expect(body.data).toEqual([expect.stringMatching(/^CREATE TABLE "public"\."pet"/)]);
});

contract('What a request sends cannot allow that data is lost', async (subject) => {
  await withoutPets(subject);
  await subject.request().post('/apply');
  const { status, body } = await ask(subject, 'apply', ['create table pet (id int primary key)']);
  const error = [
    'without allowDestructive this is not applied, because it would lose:',
    '  column public.pet.name',
  ];
  expectAnswer({ status, body }, 400, clientError(error.join('\n')));
  const lossy = await ask(subject, 'apply', ['create table pet (id int primary key)'], '/lossy');
  expectAnswer(lossy, 200, success(['ALTER TABLE "public"."pet" DROP COLUMN "name"']));
});
