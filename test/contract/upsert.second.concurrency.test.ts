import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Batch, defineColumns, EndpointGroup, Import, Unique, Upsert } from '@nest-endpoints/core';
import type { Response, Test } from 'supertest';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { mariaDbOnly, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { heldUpBy } from '../support/waits.js';

/** A record that clients know by its code. The index of its barcode was made before that of the code. */
const Good = defineEntity({
  name: 'Good',
  properties: {
    id: p.integer().primary().autoincrement(),
    barcode: p.string().length(20).unique(),
    code: p.string().length(20).unique(),
    name: p.string(),
  },
});

defineColumns(Good, { barcode: { validators: [new Unique()] } });

const goods = {
  modelClass: Good,
  writeableColumnNames: ['code', 'barcode', 'name'],
} as const;
const hooked = { afterSave: () => undefined };

/** What happens while the input of a request is judged. */
let whileJudged: () => Promise<unknown> = () => Promise.resolve();

const { contract } = service(
  {
    entities: [Good],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Batch({ url: 'batch' }),
          new Upsert({
            ...goods,
            ...hooked,
            url: 'goods/:code',
            recordLookupColumnName: 'code',
            readableColumnNames: ['code', 'name'],
          }),
          new Upsert({
            ...goods,
            ...hooked,
            url: 'judged/:code',
            recordLookupColumnName: 'code',
            readableColumnNames: ['code', 'name'],
            inputValidationCallable: async () => {
              await whileJudged();
              return {};
            },
          }),
          new Import({
            ...goods,
            ...hooked,
            url: 'table',
            onConflict: 'update',
            conflictColumnNames: ['code'],
          }),
        ],
      }),
    ],
  },
  [...postgresqlOnly.filter(({ database }) => database === 'postgresql'), ...mariaDbOnly],
);

const mine = { code: 'A', barcode: '1', name: 'mine' };

/** Creates the good in a transaction, which ends when `ask` waits for it. */
const meanwhile = (subject: Subject, good: object, ask: () => Test): Promise<Response> => {
  const hold = async (em: ReturnType<Subject['em']>) => {
    em.create(Good, { ...mine, name: 'theirs', ...good });
    await em.flush();
    return () => undefined;
  };
  return heldUpBy(subject, hold, ask);
};

/** Creates the good when it is first called. */
const createsOnce = (subject: Subject) => async () => {
  whileJudged = () => Promise.resolve();
  await subject.save(Good, { ...mine, name: 'theirs' });
};

const names = async ({ em }: Subject) =>
  (await em().findAll(Good)).map(({ code, name }) => `${code} ${name}`);

const taken = (place: string) =>
  inputErrors({
    [place]: "Invalid value for 'barcode': the given value already exists, and must be unique.",
  });

contract(
  'An Upsert updates the record that was created meanwhile, whichever of its unique values the database tells of',
  async (subject) => {
    const { request } = subject;
    const answer = await meanwhile(subject, {}, () => request().put('/goods/A').send(mine));
    expectAnswer(answer, 200, success({ code: 'A', name: 'mine' }));
    expect(await names(subject)).toEqual(['A mine']);
  },
);

contract('An Upsert updates the record that is created while its input is judged', async (subject) => {
  whileJudged = createsOnce(subject);
  const answer = await subject.request().put('/judged/A').send(mine);
  expectAnswer(answer, 200, success({ code: 'A', name: 'mine' }));
  expect(await names(subject)).toEqual(['A mine']);
});

for (const [name, path] of [
  ['Upserts', '/goods/A'],
  ['Upserts of batches', '/batch'],
  ['Imports', '/table'],
] as const)
  contract(
    `Of 12 ${name} of one new record with two unique values at once one creates it, and the others update it`,
    async (subject) => {
      for (let round = 0; round < 5; round += 1) {
        const good = { ...mine, code: `A${round}`, barcode: String(round) };
        const operations = [{ method: 'PUT', path: `/goods/${good.code}`, body: good }];
        const answers = await Promise.all(
          Array.from({ length: 12 }, async () => {
            if (path === '/batch') return subject.request().post(path).send({ operations });
            if (path !== '/table') return subject.request().put(`/goods/${good.code}`).send(good);
            const table = subject.request().post(path).set('Content-Type', 'application/x-ndjson');
            return table.send(JSON.stringify(good));
          }),
        );
        expect(
          answers.filter(({ text }) => !text.includes('"status":"success"')).map(({ text }) => text),
        ).toEqual([]);
        const isNew = ({ status, text }: Response) =>
          status === 201 || /"status_code":201|"created":1/.test(text);
        expect(answers.filter(isNew)).toHaveLength(1);
      }
      expect((await names(subject)).toSorted()).toEqual([
        'A0 mine',
        'A1 mine',
        'A2 mine',
        'A3 mine',
        'A4 mine',
      ]);
    },
  );

contract('An Import updates such a record, and creates the others of its lines', async (subject) => {
  const lines = [{ code: 'B', barcode: '2', name: 'first' }, mine].map((line) => JSON.stringify(line));
  const answer = await meanwhile(subject, {}, () =>
    subject.request().post('/table').set('Content-Type', 'application/x-ndjson').send(lines.join('\n')),
  );
  expect(JSON.parse(answer.text.trim().split('\n').at(-1) ?? '')).toEqual({
    status: 'success',
    data: { lines: 2, created: 1, updated: 1, failed: 0 },
  });
  expect((await names(subject)).toSorted()).toEqual(['A mine', 'B first']);
});

contract(
  'A unique value that another record has got meanwhile is taken, and nothing is written',
  async (subject) => {
    const { request } = subject;
    const answer = await meanwhile(subject, { code: 'C' }, () => request().put('/goods/A').send(mine));
    expectAnswer(answer, 400, taken('barcode'));
    expect(await names(subject)).toEqual(['C theirs']);
  },
);
