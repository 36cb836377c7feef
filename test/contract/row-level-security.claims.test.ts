import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Callable, Create, EndpointGroup, List, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { once, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Note = defineEntity({
  name: 'ClaimedNote',
  tableName: 'claimed_note',
  properties: { id: p.integer().primary(), tenant: p.string(), name: p.string() },
});
const notes = {
  modelClass: Note,
  readableColumnNames: ['id', 'tenant'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

/** The values of variables that a function of the user's gives its own fork. */
let given: unknown;

/** The calls of a function of the user's that asks no database. */
let runs = 0;

const application = {
  entities: [Note],
  root: {
    rowLevelSecurity: {
      variables: (identity: { tenant: string } | undefined) => ({ 'app.tenant': identity?.tenant }),
      role: 'nest_endpoints_reader',
    },
  },
};

const { contract } = service(
  {
    ...application,
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        endpoints: [
          new List({ ...notes, url: 'notes' }),
          new Create({ ...notes, url: 'notes', writeableColumnNames: ['id', 'tenant', 'name'] }),
          new Callable({ url: 'ran', toCall: () => ({ runs: (runs += 1) }) }),
          new RestfulApi({
            ...notes,
            url: 'nested',
            writeableColumnNames: ['name'],
            searchableColumnNames: ['id'],
          }),
        ],
      }),
    ],
  },
  postgresqlOnly,
);

const protect = async (subject: Subject): Promise<void> => {
  await subject.em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_reader;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on claimed_note to nest_endpoints_reader;
    alter table claimed_note enable row level security;
    drop policy if exists own on claimed_note;
    create policy own on claimed_note using (tenant = current_setting('app.tenant', true));`);
};

/** A header takes no other letters. */
const as = (tenant: string): Readonly<Record<string, string>> => ({ 'X-Claims': `{"tenant":${tenant}}` });

/** The JSON text of a claim, and the tenant whose text it would become. */
const strangers: readonly (readonly [claim: string, tenant: string])[] = [
  ['["a"]', 'a'],
  ['[["a"]]', 'a'],
  ['["a","b"]', 'a,b'],
  ['[]', ''],
  ['{"a":1}', '[object Object]'],
  ['"\\ud800"', '\ufffd'],
  ['"a\\udc00"', 'a\ufffd'],
  ['"a\\u0000"', 'a'],
  ['9007199254740993', '9007199254740992'],
  ['1e400', 'Infinity'],
];

for (const [claim, tenant] of strangers)
  contract(
    `The claim ${claim} is a failure, and not the tenant ${JSON.stringify(tenant)}`,
    async (subject) => {
      await protect(subject);
      await subject.save(Note, { id: 1, tenant, name: 'own' });
      const { request } = subject;
      for (const asked of [
        request().get('/ran'),
        request().get('/notes'),
        request().get('/nested/1'),
        request().post('/notes').send({ id: 2, tenant, name: 'n' }),
        request().delete('/nested/1'),
      ])
        expectAnswer(await asked.set(as(claim)), 500, failure('Internal Server Error'));
      expect(await subject.em().find(Note, {})).toMatchObject([{ id: 1, tenant }]);
      expect(runs).toBe(0);
    },
  );

contract('A text, a number and a boolean are the tenant that they are written as', async (subject) => {
  await protect(subject);
  for (const [index, tenant] of ['é', '1', '-0.5', 'true', '\ud83d\ude00'].entries())
    await subject.save(Note, { id: index, tenant, name: 'own' });
  const shown: unknown[] = [];
  for (const claim of ['"\\u00e9"', '1', '-0.5', 'true', '"\\ud83d\\ude00"', 'null'])
    shown.push((await subject.request().get('/notes').set(as(claim))).body.data);
  expect(shown).toMatchObject([
    [{ tenant: 'é' }],
    [{ tenant: '1' }],
    [{ tenant: '-0.5' }],
    [{ tenant: 'true' }],
    [{ tenant: '\ud83d\ude00' }],
    [],
  ]);
});

const { contract: ofForks } = service(
  {
    ...application,
    endpoints: [
      new Callable({
        url: 'forked',
        authentication: new Claims(),
        toCall: ({ em }) =>
          em
            .fork({ session: { variables: { 'app.tenant': given as string } } })
            .execute('select tenant from claimed_note'),
      }),
    ],
  },
  once,
);

ofForks('Variables of a fork are judged in the same way', async (subject) => {
  await protect(subject);
  await subject.save(Note, { id: 1, tenant: 'a', name: 'own' });
  const asked = () => subject.request().get('/forked').set(as('"b"'));
  given = 'a';
  expect((await asked()).body).toMatchObject({ data: [{ tenant: 'a' }] });
  given = ['a'];
  expectAnswer(await asked(), 500, failure('Internal Server Error'));
});
