import { expect } from '@jest/globals';
import type { RecordEvent } from '@nest-endpoints/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { application, as, everyWay, post, shown, stored, taken } from './conflicting.items.js';
import { Item, Stock, told, Ware, Warehouse } from './upserted.stock.js';

const { contract } = service(application(), everyDatabase);

contract(
  'With onConflict update what is there is changed in what was sent, and the answer has the order sent',
  async (subject) => {
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
      const data = [
        shown('D'),
        shown('C', { note: 'n', amount: 4 }),
        shown('B', { note: 'kept', amount: 5 }),
        shown('A', { note: 'x' }),
      ];
      expectAnswer(await post(subject, `/${url}`, records), 201, success(data));
      const after = [
        ['A', 'A', 'x', 7, 1],
        ['B', 'B', 'kept', 5, 2],
        ['C', 'C', 'n', 4, 1],
        ['D', 'D', null, 7, 1],
      ];
      expect(await stored(subject)).toEqual(after);
      // None of them is new.
      expectAnswer(await post(subject, `/${url}`, records), 200, success(data));
      expect(await stored(subject)).toEqual(after);
    }
  },
);

contract('With onConflict ignore a record that is there is answered as it is', async (subject) => {
  for (const url of everyWay) {
    await subject.clean();
    await subject.save(Item, { code: 'B', name: 'old', barcode: 'b', amount: 3 });
    const records = [
      { code: 'C', name: 'C' },
      // What it says is not written, so that nothing is taken.
      { code: 'B', name: 'B', barcode: 'other', amount: 9 },
    ];
    const kept = shown('B', { name: 'old', barcode: 'b', amount: 3 });
    expectAnswer(await post(subject, `/new/${url}`, records), 201, success([shown('C'), kept]));
    expectAnswer(await post(subject, `/new/${url}`, records), 200, success([shown('C'), kept]));
    const bad = [{ code: 'B' }, { code: 'E', name: 'E', amount: 'x' }];
    expectAnswer(
      await post(subject, `/new/${url}`, bad),
      400,
      inputErrors({
        'records.0.name': "'name' is required.",
        'records.1.amount': 'value should be an integer',
      }),
    );
    expect(await stored(subject)).toEqual([
      ['B', 'old', null, 3, 1],
      ['C', 'C', null, 7, 1],
    ]);
  }
});

contract('The same key twice in a body is an input error of the later record', async (subject) => {
  const one = { code: 'A', name: 'A' };
  for (const url of everyWay)
    expectAnswer(
      await post(subject, `/${url}`, [{ code: 'B', name: 'B' }, one, { ...one, name: 'x' }]),
      400,
      inputErrors({ 'records.2.code': 'the same value is sent in records.1' }),
    );
  const titled = await subject
    .request()
    .post('/Titled')
    .send({
      Records: [
        { Code: 'A', Name: 'A' },
        { Code: 'A', Name: 'B' },
      ],
    });
  expect(titled.body.InputErrors).toEqual({ 'Records.1.Code': 'the same value is sent in Records.0' });
  expect(await subject.count(Item)).toBe(0);
});

contract('A hidden record is never changed, and its key is taken as in a Create', async (subject) => {
  await subject.save(Item, { code: 'H', name: 'hidden', isHidden: true });
  for (const url of [...everyWay, ...everyWay.map((way) => `new/${way}`)])
    expectAnswer(
      await post(subject, `/${url}`, [
        { code: 'A', name: 'A' },
        { code: 'H', name: 'seen' },
      ]),
      400,
      taken('records.1.code', 'code'),
    );
  expect(await stored(subject)).toEqual([['H', 'hidden', null, 7, 1]]);
  const [a, b] = [as({ tenant: 'a' }), as({ tenant: 'b' })];
  const ware = { sku: 'S', serial: 1, name: 'One' };
  expect((await post(subject, '/wares/bulk', [ware], a)).status).toBe(201);
  expect((await post(subject, '/wares/bulk', [{ ...ware, name: 'Two' }], a)).status).toBe(200);
  const more = { ...ware, sku: 'T', serial: 2 };
  expectAnswer(await post(subject, '/wares/bulk', [more, ware], b), 400, taken('records.1.serial', 'serial'));
  expect(await subject.em().findAll(Ware)).toMatchObject([{ tenant: 'a', sku: 'S', name: 'Two' }]);
});

contract('Another unique value that is taken is an input error, and nothing is written', async (subject) => {
  await subject.save(Item, { code: 'A', name: 'A', barcode: 'a' });
  await subject.save(Item, { code: 'B', name: 'B', barcode: 'b' });
  for (const url of everyWay)
    expectAnswer(
      await post(subject, `/${url}`, [
        { code: 'N', name: 'N' },
        { code: 'A', name: 'X', barcode: 'a' },
        { code: 'B', name: 'X', barcode: 'a' },
      ]),
      400,
      taken('records.2.barcode', 'barcode'),
    );
  expect(await stored(subject)).toEqual([
    ['A', 'A', null, 7, 1],
    ['B', 'B', null, 7, 1],
  ]);
});

contract(
  'Several columns tell a record together; who made it stays, who changed it follows a change',
  async (subject) => {
    for (const id of [1, 2]) await subject.save(Warehouse, { id, name: `W${id}` });
    const stock = (warehouse_id: number, amount: number) => ({ sku: 'A', warehouse_id, amount });
    const [ann, bea] = [as({ sub: 'ann' }), as({ sub: 'bea' })];
    expect((await post(subject, '/stocks', [stock(1, 1), stock(2, 2)], ann)).status).toBe(201);
    const data = [
      { sku: 'A', warehouse: { name: 'W2' }, amount: 3, made_by: 'ann', changed_by: 'bea' },
      { sku: 'A', warehouse: { name: 'W1' }, amount: 1, made_by: 'ann', changed_by: 'ann' },
    ];
    const changed = await post(subject, '/stocks', [stock(2, 3), stock(1, 1)], bea);
    expectAnswer(changed, 200, success(data));
    const path = [
      { sku: 'B', amount: 4 },
      { sku: 'A', amount: 3 },
    ];
    expect((await post(subject, '/warehouses/2/stocks', path, ann)).status).toBe(201);
    expectAnswer(
      await post(subject, '/warehouses/2/stocks', [{ sku: 'B', amount: 4 }, stock(1, 1)], ann),
      400,
      inputErrors({ 'records.1.warehouse_id': 'must be as in the path' }),
    );
    expectAnswer(
      await post(subject, '/stocks', [stock(1, 7), stock(9, 1)], ann),
      400,
      inputErrors({ 'records.1.warehouse_id': 'the given record does not exist' }),
    );
    expect(await subject.count(Stock)).toBe(3);
  },
);

contract('More than a thousand records are found by several columns, and locked', async (subject) => {
  await subject.save(Warehouse, { id: 1, name: 'W1' });
  const records = Array.from({ length: 1100 }, (_, index) => ({
    sku: `S${index}`,
    warehouse_id: 1,
    amount: 1,
  }));
  await subject.em().insertMany(
    Stock,
    records.slice(50).map(({ sku, amount }) => ({ sku, amount, warehouse: 1 })),
  );
  const sent = records.map((record) => ({ ...record, amount: 2 }));
  expect((await post(subject, '/small/stocks', sent, as({ sub: 'ann' }))).status).toBe(201);
  expect(await subject.em().count(Stock, { amount: 2 })).toBe(1100);
});

contract('Hooks and events tell a creation from a change, in the order sent', async (subject) => {
  await subject.save(Item, { code: 'B', name: 'old' });
  await subject.save(Item, { code: 'C', name: 'C' });
  const records = ['A', 'B', 'C', 'D'].map((code) => ({ code, name: code }));
  told.length = 0;
  const events: string[] = [];
  const emitter = subject.app.get(EventEmitter2);
  const listeners = (['created', 'updated'] as const).map((event) => {
    const listener = ({ record }: RecordEvent<Item>): unknown => events.push(`${event} ${record.code}`);
    emitter.on(`endpoints.Item.${event}`, listener);
    return () => emitter.off(`endpoints.Item.${event}`, listener);
  });
  expect((await post(subject, '/hooked', records)).status).toBe(201);
  expect(told).toEqual([
    'before create 0 A',
    'before update 1 B',
    'before update 2 C',
    'before create 3 D',
    'after create 0',
    'after update 1',
    'after create 3',
  ]);
  await subject.clean();
  await subject.save(Item, { code: 'B', name: 'old' });
  expect((await post(subject, '/items', records)).status).toBe(201);
  for (const stop of listeners) stop();
  expect(events).toEqual([
    'created A',
    'updated B',
    'created D',
    'created A',
    'updated B',
    'created C',
    'created D',
  ]);
});

contract("A kept answer and answer 'ids' are as those of a CreateMany", async (subject) => {
  await subject.save(Item, { code: 'B', name: 'old' });
  const records = [
    { code: 'A', name: 'A' },
    { code: 'B', name: 'B' },
  ];
  for (const url of everyWay) {
    const key = { 'Idempotency-Key': `"${url}"` };
    const first = await post(subject, `/${url}`, records, key);
    const again = await post(subject, `/${url}`, records, key);
    expect([first.status, again.body]).toEqual([url === 'items' ? 201 : 200, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  }
  expectAnswer(
    await post(subject, '/codes', [{ code: 'N', name: 'N' }, ...records]),
    201,
    success(['N', 'A', 'B']),
  );
});
