import { expect, test } from '@jest/globals';
import { plannedRows } from '@nest-endpoints/core/internal';

const scan = { 'Node Type': 'Custom Scan', 'Custom Plan Provider': 'Citus Adaptive', 'Plan Rows': 100_000 };

const remote = (rows: number) => ({
  'Remote Plan': [[{ Plan: { 'Node Type': 'Seq Scan', 'Plan Rows': rows } }]],
});

const sharded = (count: number | undefined, ...tasks: readonly object[]) => [
  { Plan: { ...scan, 'Distributed Query': { Job: { 'Task Count': count, Tasks: tasks } } } },
];

test.each([
  ['of one server is the plan itself', [{ Plan: { 'Node Type': 'Seq Scan', 'Plan Rows': 70 } }], 70],
  ['of which one shard tells is that of all', sharded(32, remote(50)), 1600],
  [
    'of which all shards tell is their mean for each',
    sharded(4, remote(10), remote(20), remote(0), remote(5)),
    35,
  ],
  ['of a shard that does not tell is none', sharded(4, {}), undefined],
  ['of no shard is none', sharded(0), undefined],
  ['without the number of shards is none', sharded(undefined, remote(5)), undefined],
  ['of another sort of scan is none', [{ Plan: scan }], undefined],
])('The estimate of a plan %s', (_, plan, rows) => {
  expect(plannedRows(plan)).toBe(rows);
  expect(plannedRows(JSON.stringify(plan))).toBe(rows);
});
