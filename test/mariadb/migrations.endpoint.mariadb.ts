import { expect } from '@jest/globals';
import { p } from '@mikro-orm/core';
import { defineEntity } from '@mikro-orm/core';
import { Migrations, sqlFromEntities } from '@nest-endpoints/migrations';
import { clientError, expectAnswer, success } from '../support/answers.js';
import { everyPlatform, service } from '../support/contract.js';

const Stop = defineEntity({
  name: 'Stop',
  properties: { id: p.integer().primary(), name: p.string().unique(), line: () => p.manyToOne(Line) },
});
const Line = defineEntity({ name: 'Line', properties: { id: p.integer().primary() } });

const open = { allowInput: true, allowUnauthenticated: true, requestMethods: ['GET', 'POST'] as const };

const { contract } = service(
  {
    entities: [Stop, Line],
    endpoints: [
      new Migrations({ url: 'whole', sql: [sqlFromEntities()], command: 'plan' }),
      new Migrations({ url: 'open', ...open, unmanaged: ['stop', 'line'] }),
    ],
  },
  everyPlatform,
);

const pet = 'create table pet (id int primary key)';

contract('Migrations of MariaDB answer their versions', async ({ request }) => {
  const { body } = await request().get('/open');
  expect(body.data).toEqual([
    expect.stringMatching(/^@nest-endpoints\/migrations \d/),
    'comparison of SHOW CREATE',
    expect.stringMatching(/^MariaDB \d+\.\d+/),
  ]);
});

contract('The tables of entities are a target of MariaDB, and made already', async ({ request }) => {
  expectAnswer(await request().get('/whole'), 200, success([]));
});

contract('A request plans, applies and plans again on MariaDB', async ({ request }) => {
  const ask = (command: string) => request().post('/open').send({ command, sql: pet });
  const { body } = await ask('plan');
  expect(body.data).toEqual([expect.stringMatching(/^CREATE TABLE `pet`/)]);
  expectAnswer(await ask('apply'), 200, success(body.data));
  expectAnswer(await ask('plan'), 200, success([]));
});

contract(
  'A GET must not apply on MariaDB, and what is refused is a 400 with its place',
  async ({ request }) => {
    const answer = await request().get('/open').query({ command: 'apply', sql: pet });
    expectAnswer(answer, 400, clientError('The command apply changes the database: send it with POST'));
    const refused = await request().post('/open').send({ command: 'check', sql: 'drop table stop' });
    expectAnswer(
      refused,
      400,
      clientError('sql[0]:1:1: DROP TABLE: a target schema must not have such a statement'),
    );
  },
);
