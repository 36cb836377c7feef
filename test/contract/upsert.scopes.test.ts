import { expect } from '@jest/globals';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Stock, upserting, Ware, Warehouse } from './upserted.stock.js';

const { contract } = service(upserting(), everyDatabase);

const taken = (name: string) =>
  inputErrors({ [name]: `Invalid value for '${name}': the given value already exists, and must be unique.` });

const put = ({ request }: Subject, path: string, body: object, headers: Record<string, string> = {}) =>
  request().put(path).set(headers).send(body);

const as = (claims: object) => ({ 'X-Claims': JSON.stringify(claims) });

contract('Several columns tell a record together, in the body or in the path', async (subject) => {
  for (const id of [1, 2]) await subject.save(Warehouse, { id, name: `W${id}` });
  const ann = as({ sub: 'ann' });
  const bea = as({ sub: 'bea' });
  const body = { sku: 'A', warehouse_id: 1, amount: 7 };
  const made = { ...body, made_by: 'ann', changed_by: 'ann' };
  expectAnswer(await put(subject, '/stocks', body, ann), 201, success(made));
  expectAnswer(await put(subject, '/stocks', body, bea), 200, success(made));
  const more = { ...body, amount: 8 };
  expectAnswer(
    await put(subject, '/stocks', more, bea),
    200,
    success({ ...more, made_by: 'ann', changed_by: 'bea' }),
  );
  expect((await put(subject, '/stocks', { ...body, warehouse_id: 2 }, ann)).status).toBe(201);
  expectAnswer(
    await put(subject, '/stocks', { ...body, warehouse_id: 9 }, ann),
    400,
    inputErrors({ warehouse_id: 'the given record does not exist' }),
  );
  const shown = { sku: 'A', warehouse: { name: 'W2' }, amount: 1 };
  expectAnswer(await put(subject, '/warehouses/2/stocks', { sku: 'A', amount: 1 }, ann), 200, success(shown));
  expectAnswer(await put(subject, '/warehouses/x/stocks', { sku: 'A', amount: 1 }, ann), 404, notFound);
  expect((await put(subject, '/warehouses/2/stocks', { sku: 'B', amount: 1 }, ann)).status).toBe(201);
  expect(await subject.count(Stock)).toBe(3);
});

contract(
  'In a nested resource an Upsert is about records of the parent that the path names',
  async (subject) => {
    for (const id of [1, 2]) await subject.save(Warehouse, { id, name: `W${id}` });
    const ann = as({ sub: 'ann' });
    for (const id of [1, 2]) {
      const answer = await put(subject, `/nested/${id}/stocks/A`, { amount: id }, ann);
      expect([answer.status, answer.body.data.warehouse_id]).toEqual([201, id]);
    }
    expect((await put(subject, '/nested/2/stocks/A', { amount: 5 }, ann)).status).toBe(200);
    expectAnswer(await put(subject, '/nested/9/stocks/A', { amount: 5 }, ann), 404, notFound);
    const rows = await subject.em().findAll(Stock, { orderBy: { id: 'asc' } });
    expect(rows.map(({ amount }) => amount)).toEqual([1, 5]);
  },
);

contract('A tenant has its own keys; a key that must be unique among all is taken', async (subject) => {
  const a = as({ tenant: 'a' });
  const b = as({ tenant: 'b' });
  const ware = { sku: 'S', serial: 1, name: 'One' };
  expectAnswer(await put(subject, '/wares/S', ware, a), 201, success({ tenant: 'a', ...ware }));
  expect((await put(subject, '/wares/S', { ...ware, serial: 2 }, b)).status).toBe(201);
  expect((await put(subject, '/wares/S', { ...ware, name: 'Two' }, a)).status).toBe(200);
  expectAnswer(await put(subject, '/wares/S', { ...ware, serial: 2 }, a), 400, taken('serial'));
  expectAnswer(await put(subject, '/serials/1', { sku: 'T', name: 'Mine' }, b), 400, taken('serial'));
  expect((await put(subject, '/serials/1', { sku: 'S', name: 'Three' }, a)).status).toBe(200);
  expectAnswer(
    await put(subject, '/wares/S', { ...ware, serial: 9, tenant: 'b' }, a),
    400,
    inputErrors({ tenant: 'Input column tenant is not an allowed input column.' }),
  );
  const rows = await subject.em().findAll(Ware, { orderBy: { id: 'asc' } });
  expect(rows).toMatchObject([
    { tenant: 'a', sku: 'S', serial: 1, name: 'Three' },
    { tenant: 'b', sku: 'S', serial: 2, name: 'One' },
  ]);
});

contract('RestfulApi with upsert answers PUT where clients write the key', async (subject) => {
  expectAnswer(await put(subject, '/warehouses/5', { name: 'Five' }), 201, success({ id: 5, name: 'Five' }));
  expectAnswer(await put(subject, '/warehouses/5', { name: 'V' }), 200, success({ id: 5, name: 'V' }));
  expectAnswer(await put(subject, '/warehouses/five', { name: 'V' }), 404, notFound);
  expect((await put(subject, '/wares/S', {})).status).toBe(401);
});
