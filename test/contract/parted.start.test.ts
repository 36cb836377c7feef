import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { List, Public, softDelete } from '@nest-endpoints/core';
import { stopped } from './stopped.js';

const Plan = defineEntity({
  name: 'Plan',
  properties: { tenant: p.integer().primary(), id: p.integer().primary(), name: p.string() },
});

const Reversed = defineEntity({
  name: 'Reversed',
  properties: { id: p.integer().primary(), tenant: p.integer().primary(), name: p.string() },
});

const Marked = defineEntity({
  name: 'Marked',
  properties: {
    tenant: p.integer().primary(),
    id: p.integer().primary(),
    deletedAt: p.datetime().nullable(),
  },
});

softDelete(Marked, { columnName: 'deletedAt' });

/** Has a column of its own for each of the key of its plan. */
const Apart = defineEntity({
  name: 'Apart',
  properties: {
    tenant: p.integer().primary(),
    id: p.integer().primary(),
    plan: () => p.manyToOne(Plan).nullable(),
  },
});

const entities = [Plan, Reversed, Marked, Apart];
const partition = { column: 'tenant', value: () => 1 };

const startOf = (modelClass: object, readableColumnNames: readonly string[], root: object = { partition }) =>
  stopped(
    () =>
      new List({
        url: 'list',
        modelClass,
        readableColumnNames,
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      } as never),
    { entities, root: { authentication: new Public(), ...root } },
  );

test('A key of several columns stops the start without a partition, and where its last one is the partition', async () => {
  expect(await startOf(Plan, ['name'], {})).toContain(
    'Plan has a composite key (tenant, id), which is supported by a partition alone',
  );
  expect(await startOf(Plan, ['name'], { partition: { ...partition, column: 'name' } })).toContain(
    'Plan has a composite key',
  );
  expect(await startOf(Reversed, ['name'])).toContain('Reversed has a composite key (id, tenant)');
  expect(await startOf(Plan, ['name'])).toBe('Error: the application started');
});

test('An entity with a key of several columns stops the start where it is deleted by a mark', async () => {
  expect(await startOf(Marked, ['id'])).toContain('nothing may be deleted by a mark');
});

test('A relation that does not share the column of the partition stops the start where it is named', async () => {
  for (const name of ['plan.name', 'planId', 'plan_id'])
    expect(await startOf(Apart, [name])).toContain(
      'Apart.plan cannot be served: Plan has a composite key: share all of its columns but the last',
    );
  expect(await startOf(Apart, ['id'])).toBe('Error: the application started');
});
