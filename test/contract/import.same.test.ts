import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Export, Import } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { told } from './import.rows.js';

const Card = defineEntity({
  name: 'Card',
  properties: {
    id: p.integer().primary().autoincrement(),
    facts: p.json<unknown>().nullable(),
    note: p.text().nullable(),
    size: p.integer().nullable(),
  },
});

const names = ['facts', 'note', 'size'] as const;

const { contract } = service(
  {
    entities: [Card],
    endpoints: [
      new Import({ modelClass: Card, url: 'import', writeableColumnNames: names }),
      new Export({ modelClass: Card, url: 'all', readableColumnNames: names, formulas: 'keep' }),
      new Export({ modelClass: Card, url: 'escaped', readableColumnNames: ['facts'] }),
      ...names.map(
        (name) => new Export({ modelClass: Card, url: name, readableColumnNames: [name], formulas: 'keep' }),
      ),
    ],
  },
  everyDatabase,
);

const saved = async (
  subject: Subject,
  rows: readonly Partial<Record<(typeof names)[number], unknown>>[],
): Promise<void> => {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const answer = await told(subject, '/import', lines, 'application/x-ndjson');
  expect(answer).toMatchObject([{ data: { created: rows.length, failed: 0 } }]);
};

/** Exports, deletes, and imports the same bytes: gives what was exported before and after, as JSON and as a table. */
const again = async (subject: Subject, path: string): Promise<readonly [unknown, unknown]> => {
  const got = async (format: string) => (await subject.raw('GET', `${path}?format=${format}`)).text;
  const before = [await got('ndjson'), await got('csv')] as const;
  await subject.em().nativeDelete(Card, {});
  const answer = await told(subject, '/import', before[1]);
  expect(answer).toMatchObject([{ status: 'success' }]);
  const after = [await got('ndjson'), await got('csv')];
  // SQLite writes new records with the same columns at once, so that ids are in another order.
  const sorted = (texts: readonly string[]) => texts.map((one) => one.split('\n').sort());
  return [sorted(before), sorted(after)];
};

const facts = [
  ...['5', 'true', 'null', '{"a":1}', '"q"', 'x', '', ' ', '=1', "'x", 'a,b\r\nc'],
  ...[5, -1.5, true, false, { a: '1' }, [1, 'x', null], [], {}, ['=1']],
];

contract(
  'What is exported as a table and imported again is the same: JSON values of each sort',
  async (subject) => {
    await saved(
      subject,
      facts.map((one, index) => ({ facts: one, note: `n${index}` })),
    );
    for (const path of ['/all', '/facts']) {
      const [before, after] = await again(subject, path);
      expect([path, after]).toEqual([path, before]);
    }
    await subject.em().nativeDelete(Card, {});
    await saved(subject, [{ facts: '=1' }, { facts: -1 }, { facts: ['=1'] }]);
    const escaped = (await subject.raw('GET', '/escaped?format=csv')).text;
    expect(escaped).toBe('facts\r\n"""=1"""\r\n-1\r\n"[""=1""]"\r\n');
  },
);

contract(
  'What is exported as a table and imported again is the same: one column without a value',
  async (subject) => {
    const rows = [{ note: 'a' }, {}, { note: '' }, { note: ' ' }, { note: 'b', size: 2, facts: 1 }, {}];
    await saved(subject, rows);
    for (const path of ['/all', '/note']) {
      const [before, after] = await again(subject, path);
      expect([path, after]).toEqual([path, before]);
    }
    expect(await subject.count(Card)).toBe(rows.length);
    await subject.em().nativeDelete(Card, {});
    await saved(subject, [{ size: 1 }, {}, { size: 2 }]);
    const [before, after] = await again(subject, '/size');
    expect(after).toEqual(before);
    expect(await subject.count(Card)).toBe(3);
  },
);

contract('An empty line of a table of several columns is no record', async (subject) => {
  const answer = await told(subject, '/import', '\n\nnote,size\n\na,1\n\nb,2\n\n');
  expect(answer).toMatchObject([{ status: 'success', data: { lines: 2, created: 2 } }]);
});
