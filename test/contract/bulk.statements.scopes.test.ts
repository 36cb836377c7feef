import { expect } from '@jest/globals';
import { TenantRecords } from '@nest-endpoints/auth';
import { anyOf, EndpointGroup, type AuthorizationRule } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { tablesWithout } from '../support/scoped.tables.js';
import { Statements } from '../support/statements.js';
import { BulkRows } from './bulk.rows.js';
import { Claims } from './claims.js';
import { as, Label, OfTenant, Project, Task } from './tenants.js';

const columns = new Map(['task', 'project', 'label'].map((table) => [table, 'tenant']));

const ofTenant = { columnName: 'tenant', claim: 'tenant' } as const;

const tasks = (url: string, authorization: AuthorizationRule, further: readonly string[] = []) =>
  new EndpointGroup({
    url,
    authentication: new Claims(),
    authorization,
    endpoints: [
      new BulkRows({
        url: 'tasks',
        modelClass: Task,
        readableColumnNames: ['id', 'name', 'project.name'],
        writeableColumnNames: ['id', ...further, 'name', 'rank', 'projectId'],
      }),
    ],
  });

const { contract } = service(
  {
    entities: [Project, Task, Label],
    endpoints: [
      tasks('plain', new TenantRecords(ofTenant)),
      tasks('any', anyOf(new TenantRecords(ofTenant), new TenantRecords({ ...ofTenant, claim: 'second' })), [
        'tenant',
      ]),
      tasks('keys', new OfTenant()),
    ],
  },
  once,
);

const write = async ({ request }: Subject, url: string, body: unknown) => {
  const answer = await request()
    .post(`/${url}/tasks`)
    .set(as('a'))
    .send({ json: JSON.stringify(body) });
  const data = answer.body.data as readonly Readonly<Record<string, unknown>>[];
  return [answer.status, data.map(({ id }) => id)];
};

/** Two records of each tenant. */
const stored = async ({ em }: Subject): Promise<void> => {
  for (const [tenant, first] of [
    ['a', 1],
    ['b', 3],
  ] as const)
    for (const id of [first, first + 1]) {
      await em().insert(Project, { id, tenant, name: `project ${id}`, rank: 1 });
      await em().insert(Task, { id, tenant, name: `task ${id}`, rank: 1, project: id });
    }
};

const left = [409, []];

const all = async ({ em }: Subject) => {
  const rows: Record<string, unknown>[] = await em()
    .getConnection()
    .execute('select id, tenant, rank, project_id as project from task order by id');
  return rows.map(({ id, tenant, rank, project }) => [id, tenant, rank, project]);
};

const before = [
  [1, 'a', 1, 1],
  [2, 'a', 1, 2],
  [3, 'b', 1, 3],
  [4, 'b', 1, 4],
];

contract('Records of one’s own tenant are written, whatever others have', async (subject) => {
  const statements = await Statements.of(subject);
  await stored(subject);
  const steps: [unknown, unknown[]][] = [
    [
      {
        update: [
          { id: 2, rank: 5, project_id: 1 },
          { id: 1, rank: 6 },
        ],
      },
      ['2', '1'],
    ],
    [{ ids: [1, 2], changes: { rank: 7, project_id: 2 } }, ['1', '2']],
    [{ where: { rank: 1 }, maximum: 1, changes: { rank: 8 } }, []],
    [{ where: { rank: 7 }, maximum: 2, changes: { rank: 9 } }, ['1', '2']],
    [
      {
        create: [
          { id: 12, name: 'x', rank: 1, project_id: 1 },
          { id: 11, name: 'y', rank: 1 },
        ],
      },
      ['12', '11'],
    ],
    [{ ids: [11, 1] }, ['11', '1']],
    [{ where: { rank: 1 }, maximum: 1 }, ['12']],
  ];
  for (const [body, ids] of steps) {
    const sent = await statements.during(async () => {
      expect([body, await write(subject, 'plain', body)]).toEqual([
        body,
        ids.length === 0 ? left : [200, ids],
      ]);
    });
    for (const statement of sent)
      expect([statement, await tablesWithout(statement, columns)]).toEqual([statement, []]);
  }
  expect(await all(subject)).toEqual([
    [2, 'a', 9, 2],
    [3, 'b', 1, 3],
    [4, 'b', 1, 4],
  ]);
});

contract(
  'Nothing is written where one of the records is another tenant’s, or refers to one',
  async (subject) => {
    await stored(subject);
    for (const url of ['plain', 'keys'])
      for (const body of [
        {
          update: [
            { id: 1, rank: 5 },
            { id: 3, rank: 5 },
          ],
        },
        { ids: [1, 4], changes: { rank: 5 } },
        { ids: [2, 3] },
        {
          update: [
            { id: 1, rank: 5 },
            { id: 2, project_id: 3 },
          ],
        },
        { ids: [1, 2], changes: { project_id: 4 } },
        { where: { id: 1 }, maximum: 5, changes: { rank: 5, project_id: 3 } },
        { where: { id: 3 }, maximum: 5, changes: { rank: 5 } },
        { where: { id: 3 }, maximum: 5 },
        {
          create: [
            { id: 10, name: 'x', rank: 1, project_id: 1 },
            { id: 11, name: 'y', project_id: 3 },
          ],
        },
      ])
        expect([url, body, await write(subject, url, body)]).toEqual([url, body, left]);
    expect(await all(subject)).toEqual(before);
  },
);

contract('What may leave the records of one’s own is left to the unit of work', async (subject) => {
  await stored(subject);
  const record = { id: 10, name: 'x', rank: 1 };
  for (const body of [
    {
      create: [
        { ...record, tenant: 'a' },
        { ...record, id: 11, name: 'y', tenant: 'b' },
      ],
    },
    {
      update: [
        { id: 1, rank: 5 },
        { id: 2, tenant: 'b' },
      ],
    },
    { ids: [1, 2], changes: { tenant: 'b' } },
    { where: { id: 1 }, maximum: 1, changes: { tenant: 'b' } },
  ])
    expect([body, await write(subject, 'any', body)]).toEqual([body, left]);
  expect(await all(subject)).toEqual(before);
});
