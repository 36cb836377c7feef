import { expect } from '@jest/globals';
import { ChangeRecord, type RecordEvent } from '@nest-endpoints/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { clientError } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { many } from './bulk.places.js';
import { as, stored } from './conflicting.items.js';
import { linesOf } from './import.rows.js';
import { Crate, ended, everyWay, importing, lines } from './importing.items.js';
import { Item, Stock, told, Ware, Warehouse } from './upserted.stock.js';

const { contract } = service(importing(), everyDatabase);

const taken = (name: string): string =>
  `Invalid value for '${name}': the given value already exists, and must be unique.`;

contract(
  'With onConflict update a line changes the record that is there, and the counts tell what became of each',
  async (subject) => {
    for (const mode of ['', 'chunks/'])
      for (const url of everyWay) {
        await subject.clean();
        await subject.save(Item, { code: 'B', name: 'old', note: 'kept', amount: 3 });
        await subject.save(Item, { code: 'C', name: 'C', note: 'n', amount: 4 });
        const records = [
          { code: 'D', name: 'D' },
          { code: 'C', name: 'C', note: 'n' },
          { code: 'B', name: 'B', amount: 5 },
          { code: 'A', name: 'A', note: 'x' },
        ];
        const path = `/${mode}${url}`;
        expect(await lines(subject, `${path}?dry_run=true`, records)).toEqual([
          ended([4, 2, 1, 0], { dry_run: true }),
        ]);
        expect(await subject.count(Item)).toBe(2);
        expect(await lines(subject, path, records)).toEqual([ended([4, 2, 1, 0])]);
        const after = [
          ['A', 'A', 'x', 7, 1],
          ['B', 'B', 'kept', 5, 2],
          ['C', 'C', 'n', 4, 1],
          ['D', 'D', null, 7, 1],
        ];
        expect(await stored(subject)).toEqual(after);
        expect(await lines(subject, path, records)).toEqual([ended([4, 0, 0, 0])]);
        expect(await stored(subject)).toEqual(after);
      }
  },
);

contract(
  'With onConflict ignore a record that is there is left as it is, and counts as nothing',
  async (subject) => {
    for (const url of everyWay) {
      await subject.clean();
      await subject.save(Item, { code: 'B', name: 'old', barcode: 'b', amount: 3 });
      const records = [
        { code: 'C', name: 'C' },
        // What it says is not written, so that nothing is taken.
        { code: 'B', name: 'B', barcode: 'other', amount: 9 },
      ];
      expect(await lines(subject, `/new/${url}`, records)).toEqual([ended([2, 1, 0, 0])]);
      expect(await lines(subject, `/new/${url}`, records)).toEqual([ended([2, 0, 0, 0])]);
      expect(await stored(subject)).toEqual([
        ['B', 'old', null, 3, 1],
        ['C', 'C', null, 7, 1],
      ]);
    }
  },
);

contract(
  'A line about a record of an earlier line comes after it, in whatever order chunks are',
  async (subject) => {
    for (const url of everyWay) {
      await subject.clean();
      const records = [
        { code: 'A', name: 'first' },
        { code: 'B', name: 'B' },
        { code: 'A', name: 'second', amount: 1 },
        { code: 'A', name: 'third' },
      ];
      expect(await lines(subject, `/${url}`, records)).toEqual([ended([4, 2, 2, 0])]);
      expect(await stored(subject)).toEqual([
        ['A', 'third', null, 1, 3],
        ['B', 'B', null, 7, 1],
      ]);
      expect(await lines(subject, `/new/${url}`, [...records, { code: 'C', name: 'C' }])).toEqual([
        ended([5, 1, 0, 0]),
      ]);
    }
  },
);

contract('Bad lines are told, and in chunks all others are written', async (subject) => {
  for (const url of everyWay) {
    await subject.clean();
    await subject.save(Item, { code: 'A', name: 'A', barcode: 'a' });
    await subject.save(Item, { code: 'B', name: 'B', barcode: 'b' });
    await subject.save(Item, { code: 'H', name: 'hidden', isHidden: true });
    const records = [
      { code: 'A', name: 'X', barcode: 'a' },
      { code: 'B', name: 'X', barcode: 'a' },
      { code: 'H', name: 'seen' },
      { code: 'N', name: 'N' },
      { code: 'A', amount: 'x', barcode: 'b' },
      { name: 'keyless' },
      { code: null, name: 'null' },
    ];
    const refused = [
      { line: 2, input_errors: { barcode: taken('barcode') } },
      { line: 3, input_errors: { code: taken('code') } },
      {
        line: 5,
        input_errors: {
          amount: 'value should be an integer',
          name: "'name' is required.",
          barcode: taken('barcode'),
        },
      },
      { line: 6, input_errors: { code: "'code' is required." } },
      { line: 7, input_errors: { code: expect.any(String) as unknown } },
    ];
    expect(await lines(subject, `/${url}`, records)).toEqual([...refused, ended([7, 0, 0, 5])]);
    const before = [
      ['A', 'A', null, 7, 1],
      ['B', 'B', null, 7, 1],
      ['H', 'hidden', null, 7, 1],
    ];
    expect(await stored(subject)).toEqual(before);
    expect(await lines(subject, `/chunks/${url}`, records)).toEqual([...refused, ended([7, 1, 1, 5])]);
    expect(await stored(subject)).toEqual([
      ['A', 'X', null, 7, 2],
      ...before.slice(1),
      ['N', 'N', null, 7, 1],
    ]);
  }
});

contract('What only the database refuses is found line by line, beside what is changed', async (subject) => {
  const { count, em } = subject;
  for (const url of ['crates', 'crates/hooked']) {
    await subject.clean();
    await em().insertMany(
      Crate,
      [0, 7, 300, 600].map((index) => ({ label: `c${index}`, weight: 999, deletedAt: null })),
    );
    const records = many(700, (index) => ({ label: `c${index}`, weight: index % 100 === 7 ? 1000 : index }));
    const answer = (await lines(subject, `/chunks/${url}`, records)) as object[];
    expect(answer.slice(0, -1).map((line) => Reflect.get(line, 'line') as unknown)).toEqual([
      8, 108, 208, 308, 408, 508, 608,
    ]);
    expect(answer.at(-1)).toEqual(ended([700, 690, 3, 7]));
    expect(await count(Crate)).toBe(694);
    expect(await em().count(Crate, { weight: 999 })).toBe(1);
  }
});

contract('A record of another tenant is never changed: its key is taken', async (subject) => {
  const send = async (tenant: string, records: readonly object[]): Promise<unknown> => {
    const headers = { 'content-type': 'application/x-ndjson', ...as({ tenant }) };
    const body = records.map((one) => JSON.stringify(one)).join('\n');
    return linesOf((await subject.raw('POST', '/wares/import', { headers, body })).text);
  };
  const ware = { sku: 'S', serial: 1, name: 'One' };
  expect(await send('a', [ware])).toEqual([ended([1, 1, 0, 0])]);
  expect(await send('a', [{ ...ware, name: 'Two' }])).toEqual([ended([1, 0, 1, 0])]);
  expect(await send('b', [{ ...ware, sku: 'T', serial: 2 }, ware])).toEqual([
    { line: 2, input_errors: { serial: taken('serial') } },
    ended([2, 1, 0, 1]),
  ]);
  expect(await subject.em().findAll(Ware, { orderBy: { serial: 'asc' } })).toMatchObject([
    { tenant: 'a', sku: 'S', name: 'Two' },
    { tenant: 'b', sku: 'T', name: 'One' },
  ]);
});

contract('A part of the key may stand in the path', async (subject) => {
  for (const id of [1, 2]) await subject.save(Warehouse, { id, name: `W${id}` });
  const path = '/warehouses/2/stocks';
  expect(await lines(subject, path, [{ sku: 'A', amount: 1 }])).toEqual([ended([1, 1, 0, 0])]);
  expect(
    await lines(subject, path, [
      { sku: 'A', amount: 2 },
      { sku: 'B', warehouse_id: 1, amount: 1 },
    ]),
  ).toEqual([{ line: 2, input_errors: { warehouse_id: 'must be as in the path' } }, ended([2, 0, 0, 1])]);
  expect(await subject.em().findAll(Stock)).toMatchObject([{ sku: 'A', amount: 1, warehouse: { id: 2 } }]);
  const { status, body } = await subject
    .request()
    .post('/warehouses/x/stocks')
    .set('Content-Type', 'application/x-ndjson')
    .send('{"sku":"A","amount":1}\n');
  expect([status, body]).toEqual([404, clientError('Not Found')]);
});

contract('Hooks and events tell a creation from a change; what stays as it is has none', async (subject) => {
  const records = ['A', 'B', 'C', 'D'].map((code) => ({ code, name: code }));
  const events: string[] = [];
  const emitter = subject.app.get(EventEmitter2);
  const listeners = (['created', 'updated'] as const).map((event) => {
    const listener = ({ record }: RecordEvent<Item>): unknown => events.push(`${event} ${record.code}`);
    emitter.on(`endpoints.Item.${event}`, listener);
    return () => emitter.off(`endpoints.Item.${event}`, listener);
  });
  for (const url of everyWay) {
    await subject.clean();
    await subject.save(Item, { code: 'B', name: 'old' });
    await subject.save(Item, { code: 'C', name: 'C' });
    told.length = 0;
    events.length = 0;
    expect(await lines(subject, `/${url}`, records)).toEqual([ended([4, 2, 1, 0])]);
    expect(told).toEqual(url === 'items' ? [] : ['after create 0', 'after update 1', 'after create 3']);
    expect(events).toEqual(['created A', 'updated B', 'created D']);
  }
  for (const stop of listeners) stop();
});

contract('Deleted records stay, and the log has a line for each that was written', async (subject) => {
  for (const url of ['crates', 'crates/hooked']) {
    await subject.clean();
    const deletedAt = new Date(0);
    await subject.em().insertMany(Crate, [
      { label: 'A', weight: 1, deletedAt },
      { label: 'B', weight: 1, deletedAt: null },
      { label: 'C', weight: 1, deletedAt: null },
    ]);
    await subject.em().nativeDelete(ChangeRecord, {});
    const records = ['A', 'B', 'C'].map((label) => ({ label, weight: label === 'C' ? 1 : 2 }));
    expect(await lines(subject, `/${url}`, records)).toEqual([ended([3, 1, 1, 0])]);
    const crates = await subject.em().findAll(Crate, { orderBy: { label: 'asc', weight: 'asc' } });
    expect(crates.map(({ label, weight, deletedAt: at }) => [label, weight, at === null])).toEqual([
      ['A', 1, false],
      ['A', 2, true],
      ['B', 2, true],
      ['C', 1, true],
    ]);
    const logged = await subject.em().findAll(ChangeRecord, { orderBy: { operation: 'asc' } });
    expect(logged.map(({ operation, before, after }) => [operation, before, after])).toEqual([
      ['created', null, expect.objectContaining({ label: 'A', weight: 2 })],
      ['updated', { weight: 1 }, { weight: 2 }],
    ]);
  }
});
