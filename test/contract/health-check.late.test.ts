import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Get, HealthCheck } from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { Author, library } from '../support/entities/library.js';
import { Claims } from './claims.js';

const checkTimeout = 200;

const health = {
  checkTimeout,
  callables: [
    ({ em }: { readonly em: Pick<SqlEntityManager, 'execute'> }) => em.execute('select * from book'),
  ],
} as const;

const endpoints = [
  new HealthCheck({ ...health, url: 'health' }),
  new Get({ url: 'authors/:id', modelClass: Author, readableColumnNames: ['name'], timeout: 5000 }),
];

const onServer = postgresqlOnly.filter(({ database }) => database === 'postgresql');
const orm = { pool: { max: 2 } };
const open = service({ entities: library, endpoints, orm }, onServer);

const root = {
  authentication: new Claims(),
  rowLevelSecurity: { variables: () => ({ 'app.user': 'u' }) },
};
const secured = service({ entities: library, endpoints, orm, root }, onServer);

for (const [name, { contract }] of Object.entries({
  '': open,
  ', with row level security': secured,
}))
  contract(`A check that takes too long is stopped, and leaves its connection${name}`, async (subject) => {
    const { request, save } = subject;
    const { id } = await save(Author, { name: 'Jane Austen' });
    const as = { 'X-Claims': JSON.stringify({ sub: 'u' }) };
    await (subject.em() as SqlEntityManager).transactional(async (em) => {
      await em.execute('lock table book in access exclusive mode');
      for (const _time of [1, 2, 3]) {
        expectAnswer(await request().get('/health').set(as), 500, failure(''));
        expect((await request().get(`/authors/${id}`).set(as)).status).toBe(200);
      }
    });
    expect((await request().get('/health').set(as)).status).toBe(200);
    expect(subject.log.text()).toContain(`no answer within ${checkTimeout} ms`);
  });
