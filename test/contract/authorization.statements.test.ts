import { expect, test } from '@jest/globals';
import { TenantRecords } from '@nest-endpoints/auth';
import { fc } from '../support/property.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { tablesWithout } from '../support/scoped.tables.js';
import { Statements } from '../support/statements.js';
import { as, Label, Project, Task, tenantEndpoints } from './tenants.js';
import { expectNoMixing, twoWorlds } from './tenants.worlds.js';

const columns = new Map(['task', 'project', 'label'].map((table) => [table, 'tenant']));

/** What MikroORM writes of a record that was locked by its scope: it names records by their keys alone. */
const flushed =
  /^(?:update "\w+" set .* where "id" = (?:\$\d+|\S+)(?: returning .*)?|delete from "\w+" where "id" in \(\S+\))$/;

const { contract } = service(
  {
    entities: [Project, Task, Label],
    endpoints: tenantEndpoints(new TenantRecords({ columnName: 'tenant', claim: 'tenant' })),
  },
  postgresqlOnly,
);

test.each([
  ['select "e0"."id" from "task" as "e0" where "e0"."id" = $1', ['task as e0']],
  ['select 1 from "task" as "e0" where "e0"."id" = $1 or "e0"."tenant" = $2', ['task as e0']],
  ['select 1 from "task" as "e0" where "e0"."tenant" = $1', []],
  [
    'select 1 from "task" as "e0" left join "project" as "e1" on "e0"."project_id" = "e1"."id" where "e0"."tenant" = $1',
    ['project as e1'],
  ],
  [
    'select 1 from "task" as "e0" where "e0"."tenant" = $1 and exists (select 1 from "label" as "e1")',
    ['label as e1'],
  ],
  ['delete from "task" where ("task"."tenant", "task"."id") in (($1, $2))', []],
  ['delete from "task" where ("task"."id", "task"."name") in (($1, $2))', ['task as task']],
  ['insert into "task" ("id") values ($1)', ['task (inserted)']],
  ['delete from "task" as "e0" where "e0"."tenant" = any($1) returning 1', []],
  [
    'with w as (merge into "task" as "e0" using unnest($1) as s(a) on false when not matched then insert ("id") values (s.a) returning "e0"."id") select 1 from w',
    ['task (inserted)'],
  ],
  [
    'with l as (select 1 from "task" as "e0" where "e0"."tenant" = $1 for update) delete from "task" as "e1" using l where "e1"."id" = l.id',
    ['task as e1'],
  ],
])('A statement that names no tenant is found: %s', async (statement, expected) => {
  expect(await tablesWithout(statement, columns)).toEqual(expected);
});

/** Pages that the search for mistakes may miss. */
const pages = [
  '/tasks',
  '/tasks?start=1000',
  '/grouped',
  '/projects',
  '/projects?tasks.labels.name=z',
  '/tasks/1',
];

contract('Every page names the tenant for every table that it touches', async (subject) => {
  const statements = await Statements.of(subject);
  const em = subject.em();
  em.create(Project, { id: 1, tenant: 'a', name: 'one', rank: 1 });
  em.create(Task, { id: 1, tenant: 'a', name: 'one', rank: 1, project: 1 });
  await em.flush();
  for (const path of pages) {
    const sent = await statements.during(() => subject.request().get(path).set(as('a')));
    expect([path, sent.length > 0]).toEqual([path, true]);
    for (const statement of sent)
      expect([statement, await tablesWithout(statement, columns)]).toEqual([statement, []]);
  }
});

contract('Every statement names the tenant for every table that it touches', async (subject) => {
  const statements = await Statements.of(subject);
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(twoWorlds, async ({ own, worlds, asked }) => {
      // The records of the worlds are made by the test itself.
      await expectNoMixing(subject, { own, worlds, asked }, async (answer) => {
        for (const statement of await statements.during(answer)) seen.add(statement);
      });
    }),
    { numRuns: Number(process.env['RUNS'] ?? 8) },
  );
  const without: string[] = [];
  for (const statement of seen) {
    if (flushed.test(statement)) continue;
    for (const table of await tablesWithout(statement, columns)) without.push(`${table}: ${statement}`);
  }
  expect(without).toEqual([]);
  expect(seen.size).toBeGreaterThan(20);
});
