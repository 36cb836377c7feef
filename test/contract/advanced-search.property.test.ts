import { expect, jest } from '@jest/globals';
import { fc } from '../support/property.js';
import { once, service } from '../support/contract.js';
import { stockWith, wareColumns, wares } from './advanced-search.wares.js';
import { hostileObject } from './hostile.js';

const { contract } = service(
  stockWith([
    wares({ url: 'offset', maximumLimit: 0 }),
    wares({ url: 'keyset', pagination: 'keyset', count: 'estimated' }),
    wares({ url: 'forced', transformInputTypes: true, count: 'none' }),
  ]),
  once,
);

jest.setTimeout(120_000);

const options = { numRuns: 1500, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true };

const operators = (
  '<=>, !=, <=, >=, >, <, =, in, is not null, is null, is not, is, like, ' +
  'not in, between, contains, starts with, ends with, has'
).split(', ');

/** The value that a member of a hostile object has, as JSON text. */
const hostileValue = hostileObject(['value']).filter((text) => text.startsWith('{"value":'));

/** A condition that is right but for its value. */
const condition = fc
  .tuple(
    fc.constantFrom(...wareColumns.split(', ')),
    fc.constantFrom(...operators),
    hostileValue,
    fc.boolean(),
  )
  .map(([column, operator, value, isList]) => {
    const head = `{"column":"${column}","operator":"${operator}"`;
    const members = value.slice(1, -1);
    return isList ? `${head},"value":[${members.slice('"value":'.length)}]}` : `${head},${members}}`;
  });

const entry = fc.oneof(
  { weight: 3, arbitrary: condition },
  { weight: 1, arbitrary: hostileObject(['column', 'operator', 'value', 'direction']) },
);

/** Entries in groups, and what is like one. */
const { grouped } = fc.letrec<{ grouped: string }>((tie) => ({
  grouped: fc.oneof(
    { maxDepth: 7 },
    entry,
    fc
      .tuple(
        fc.constantFrom('any', 'all', 'not', 'Any'),
        fc.array(tie('grouped'), { maxLength: 3 }),
        fc.boolean(),
      )
      .map(
        ([word, entries, isList]) => `{"${word}":${isList ? `[${entries.join()}]` : (entries[0] ?? 'null')}}`,
      ),
    fc
      .tuple(
        fc.constantFrom('some', 'none'),
        fc.constantFrom('"parts"', '"tags"', '"x"', '1'),
        tie('grouped'),
      )
      .map(([word, relation, one]) => `{"${word}":${relation},"all":[${one}]}`),
    hostileObject(['any', 'all', 'not', 'some', 'none', 'column']),
  ),
}));

const part = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(grouped, { maxLength: 3 }).map((entries) => `"where":[${entries.join()}]`),
  },
  {
    weight: 2,
    arbitrary: fc.array(entry, { maxLength: 2 }).map((entries) => `"sort":[${entries.join()}]`),
  },
  {
    weight: 1,
    arbitrary: hostileObject(['where', 'sort', 'limit', 'start', 'after'])
      .filter((text) => text !== '{}')
      .map((text) => text.slice(1, -1)),
  },
);

contract('No body of an AdvancedSearch ends in a 500', async ({ query }) => {
  const body = fc.array(part, { maxLength: 2 }).map((parts) => `{${parts.join()}}`);
  const url = fc.constantFrom('offset', 'keyset', 'forced');
  const property = fc.asyncProperty(url, body, async (path, text) => {
    const answer = await query(`/${path}`).type('json').send(text);
    const envelope: unknown = JSON.parse(answer.text);
    expect([answer.status < 500, Object.keys(envelope as object)]).toEqual([
      true,
      ['status', 'error', 'data', 'pagination', 'input_errors'],
    ]);
  });
  await fc.assert(property, options);
});
