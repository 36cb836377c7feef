import { expect, test } from '@jest/globals';
import { Create, IdempotencyRecord, RestfulApi } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { Receipt } from './orders.js';
import { Reading, Station, StationList } from './station.list.js';
import { stopped } from './stopped.js';

const receipts = {
  url: 'receipts',
  modelClass: Receipt,
  readableColumnNames: ['text'],
  writeableColumnNames: ['text'],
} as const;

test('idempotency without its entity stops the start, and says what to add', async () => {
  const problem = /idempotency: add IdempotencyRecord of @nest-endpoints\/core to `entities`/;
  const create = () => new Create({ ...receipts, idempotency: true });
  expect(await stopped(create, { entities: [Receipt] })).toMatch(problem);
  const api = () =>
    new RestfulApi({
      ...receipts,
      idempotency: 'required',
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    });
  expect(await stopped(api, { entities: [Receipt] })).toMatch(problem);
});

test('Another value of idempotency stops the start', async () => {
  const create = () => new Create({ ...receipts, idempotency: 'always' as never });
  expect(await stopped(create, { entities: [Receipt, IdempotencyRecord] })).toMatch(
    /Create 'receipts': idempotency: 'always' is not allowed; allowed: true, false, 'required'/,
  );
});

test('idempotency on a model in a backend of the user stops the start', async () => {
  const create = new Create({
    url: 'stations',
    modelClass: Station,
    readableColumnNames: ['id'],
    writeableColumnNames: ['callSign'],
    idempotency: true,
  });
  const message = await startUpError({
    entities: [Station, Reading, IdempotencyRecord],
    root: { backends: [{ modelClass: Station, backend: new StationList() }] },
    endpoints: [create],
  });
  expect(message).toMatch(/idempotency: answers are kept in the database of their records/);
});

test('An idempotencySender that is no function stops the start', async () => {
  const idempotencySender = 'sub' as never;
  const entities = [Receipt, IdempotencyRecord];
  const problem = "idempotencySender: 'sub' is not allowed; allowed: a function";
  const own = () => new Create({ ...receipts, idempotency: true, idempotencySender });
  expect(await stopped(own, { entities })).toContain(`Create 'receipts': ${problem}`);
  const rooted = () => new Create({ ...receipts, idempotency: true });
  expect(await stopped(rooted, { entities, root: { idempotencySender } })).toContain(
    `EndpointsModule.forRoot: ${problem}`,
  );
});

test('An idempotencyKeyTime below a second stops the start', async () => {
  for (const idempotencyKeyTime of [0, 999, 1.5, Number.NaN])
    expect(await startUpError({ entities: [], endpoints: [], root: { idempotencyKeyTime } })).toMatch(
      /idempotencyKeyTime: .* is not allowed; allowed: a whole number of milliseconds from 1000/,
    );
});
