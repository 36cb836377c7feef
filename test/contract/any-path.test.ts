import { expect, jest } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  Delete,
  EmailColumn,
  Get,
  TimestampColumn,
  Update,
  defineColumns,
} from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { success } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { hostileEscaped } from './hostile.js';

/** Found by a column of any type. */
const Token = defineEntity({
  name: 'Token',
  properties: {
    id: p.integer().primary().autoincrement(),
    small: p.smallint().unique().nullable(),
    safe: p.bigint('number').unique().nullable(),
    long: p.bigint('string').unique().nullable(),
    single: p.float().unique().nullable(),
    double: p.double().unique().nullable(),
    decimal: p.decimal('string').precision(10).scale(2).unique().nullable(),
    flag: p.boolean().unique().nullable(),
    uuid: p.uuid().unique().nullable(),
    word: p.string().length(20).unique().nullable(),
    text: p.text().unique().nullable(),
    email: p.string().unique().nullable(),
    day: p.date().unique().nullable(),
    moment: p.datetime().unique().nullable(),
    seconds: p.integer().unique().nullable(),
    instant: p.datetime().unique().nullable(),
    choice: p.enum(['a', 'b']).unique().nullable(),
  },
});

defineColumns(Token, {
  email: { type: new EmailColumn() },
  seconds: { type: new TimestampColumn() },
  instant: { type: new TimestampColumn() },
});

/** A value of every column, and how it stands in a path. */
const values = {
  small: [-32_768, '-32768'],
  safe: [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  long: ['-9223372036854775808', '-9223372036854775808'],
  single: [0.1, '0.1'],
  double: [-1e-7, '-1e-7'],
  decimal: ['12.50', '12.50'],
  flag: [false, 'false'],
  uuid: ['7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11', '7D0F4B52-6C1F-4A9E-9A63-0D8C6F0F1A11'],
  word: [' /%\\\'"?#&+é😀', '%20%2F%25%5C%27%22%3F%23%26%2B%C3%A9%F0%9F%98%80'],
  text: ['..%2f', '..%252f'],
  email: ["o'neil+1@example.org", "o'neil+1@example.org"],
  day: ['0001-01-01', '0001-01-01'],
  moment: ['2026-11-21T09:00:00.600+02:00', '2026-11-21T07:00:00Z'],
  seconds: [-1, '-1'],
  instant: [253_402_300_799, '253402300799'],
  choice: ['a', 'a'],
} as const;

type Name = keyof typeof values;
const names = Object.keys(values) as Name[];
const sent = names.map((name) => [name, values[name][0]] as const);
const inPaths = names.map((name) => [name, values[name][1]] as const);
const token = { modelClass: Token, readableColumnNames: ['id'] } as const;

const { contract } = service(
  {
    entities: [Token],
    endpoints: [
      new Create({ ...token, url: 'tokens', writeableColumnNames: names }),
      ...names.flatMap((name) =>
        [false, true].flatMap((transformInputTypes) => {
          const url = `${transformInputTypes ? 'forced' : 'plain'}/${name}/:${name}`;
          const lookup = { url, recordLookupColumnName: name, transformInputTypes };
          return [
            new Get({ ...token, ...lookup }),
            new Update({ ...token, ...lookup, writeableColumnNames: ['word'] }),
            new Delete({ modelClass: Token, ...lookup }),
          ];
        }),
      ),
    ],
  },
  once,
);

jest.setTimeout(120_000);

contract('A record is found by a column of any type', async ({ request }) => {
  const created = await request().post('/tokens').send(Object.fromEntries(sent));
  const record = success({ id: created.body.data.id });
  expect(created.status).toBe(201);
  const answers: Record<string, unknown> = {};
  for (const [name, text] of inPaths)
    for (const path of [`/plain/${name}/${text}`, `/forced/${name}/${text}`])
      answers[path] = [(await request().get(path)).body, (await request().patch(path).send({})).body];
  expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((path) => [path, [record, record]])));
});

contract('No text in a path ends in a 500', async ({ raw }) => {
  const base = fc.constantFrom('plain', 'forced');
  const method = fc.constantFrom('GET', 'PATCH', 'DELETE');
  const property = fc.asyncProperty(
    base,
    fc.constantFrom(...names),
    method,
    hostileEscaped,
    async (...parts) => {
      const [first, name, verb, text] = parts;
      const answer = await raw(verb, `/${first}/${name}/${text}`, verb === 'PATCH' ? { body: '{}' } : {});
      expect([200, 400, 404]).toContain(answer.status);
      expect(Object.keys(answer.body as object)).toEqual([
        'status',
        'error',
        'data',
        'pagination',
        'input_errors',
      ]);
    },
  );
  await fc.assert(property, { numRuns: 3000, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true });
});
