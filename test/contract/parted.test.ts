import { expect } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { postgresqlOnly, service, sqliteOnly } from '../support/contract.js';
import { fill, of, partedEndpoints, partedShop, Task } from './parted.shop.js';

const uniqueMessage = (name: string): string =>
  `Invalid value for '${name}': the given value already exists, and must be unique.`;

const { contract } = service(
  { ...partedShop, root: { ...partedShop.root, authentication: new Public() }, endpoints: partedEndpoints },
  [...postgresqlOnly, ...sqliteOnly],
);

contract(
  'A key of one tenant is another record of the next, with its own parents and lists',
  async (subject) => {
    await fill(subject);
    for (const tenant of ['a', 'b']) {
      const { body } = await subject.request().get('/tasks/1').set(of(tenant));
      expect(body.data).toEqual({
        id: 1,
        name: `${tenant} 1`,
        rank: 1,
        project_id: 1,
        project: { name: `${tenant} house`, country: { name: 'France' } },
        before: null,
        labels: [{ name: `${tenant} red` }, { name: `${tenant} blue` }],
      });
      const project = await subject.request().get('/projects/1').set(of(tenant));
      expect(project.body.data.tasks).toEqual([
        { name: `${tenant} 1`, labels: [{ name: `${tenant} red` }, { name: `${tenant} blue` }] },
        { name: `${tenant} 2`, labels: [] },
      ]);
    }
    expectAnswer(await subject.request().get('/tasks/1').set(of('c')), 404, notFound);
  },
);

contract(
  'Lists, searches and groups are of one tenant, whose records have the keys of others',
  async (subject) => {
    await fill(subject);
    const request = subject.request();
    const ids = async (path: string) => {
      const { body } = await request.get(path).set(of('a'));
      expect([path, body.error]).toEqual([path, '']);
      return body.data.map(({ id, name }: { id: number; name: string }) => `${id} ${name}`);
    };
    expect(await ids('/tasks?labels.name=a red')).toEqual(['1 a 1']);
    expect(await ids('/tasks?labels.name=b red')).toEqual([]);
    expect(await ids('/tasks?sort=project.name&direction=desc')).toEqual(['1 a 1', '2 a 2', '3 a 3']);
    expect(await ids('/tasks?start=1')).toEqual(['2 a 2', '3 a 3']);
    expect(await ids('/grouped')).toEqual(['1 a 1', '2 a 2', '3 a 3']);
    expect(await ids('/projects?tasks.labels.name=a blue')).toEqual(['1 a house']);
    expect(await ids('/of/1/tasks')).toEqual(['1 a 1', '2 a 2']);
    const totals = await request.get('/totals?group_by=project.name').set(of('a'));
    expect(totals.body.data).toEqual([
      { project: { name: 'a garden' }, count: 1 },
      { project: { name: 'a house' }, count: 2 },
    ]);
    const exported = await request.get('/exported').set({ ...of('b'), Accept: 'application/x-ndjson' });
    expect(
      exported.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['b 1', 'b 2', 'b 3']);
  },
);

contract('Pages of a search follow each other by the key that clients know', async (subject) => {
  await fill(subject);
  const search = (body: object) => subject.request().post('/search').set(of('a')).send(body);
  const first = await search({ sort: [{ column: 'rank', direction: 'desc' }] });
  expect(first.body.data.map(({ id }: { id: number }) => id)).toEqual([3, 2]);
  const second = await search({
    sort: [{ column: 'rank', direction: 'desc' }],
    after: first.body.pagination.next_page.after,
  });
  expect(second.body.data.map(({ id }: { id: number }) => id)).toEqual([1]);
});

for (const url of ['flat', 'hooked', 'tasks'])
  contract(`Writes are of one record of the tenant: ${url}`, async (subject) => {
    await fill(subject);
    const request = subject.request();
    const created = await request.post(`/${url}`).set(of('a')).send({ id: 9, name: 'a 9', project_id: 2 });
    expect([created.status, created.body.data?.project?.name]).toEqual([201, 'a garden']);
    const patched = await request.patch(`/${url}/1`).set(of('a')).send({ name: 'new', project_id: 2 });
    expect([patched.status, patched.body.data?.project?.name]).toEqual([200, 'a garden']);
    expect((await request.delete(`/${url}/2`).set(of('a'))).status).toBe(200);
    const stored = await subject.em().find(Task, {}, { orderBy: { tenant: 'asc', id: 'asc' } });
    expect(stored.map(({ tenant, id, name, project }) => [tenant, id, name, project?.id])).toEqual([
      ['a', 1, 'new', 2],
      ['a', 3, 'a 3', 2],
      ['a', 9, 'a 9', 2],
      ['b', 1, 'b 1', 1],
      ['b', 2, 'b 2', 1],
      ['b', 3, 'b 3', 2],
    ]);
    expectAnswer(await request.patch(`/${url}/2`).set(of('a')).send({ name: 'x' }), 404, notFound);
    for (const [sent, errors] of [
      [{ project_id: 7 }, { project_id: 'the given record does not exist' }],
      [{ name: 'a 3' }, { name: uniqueMessage('name') }],
      [{ id: 3 }, { id: uniqueMessage('id') }],
    ] as const)
      expectAnswer(await request.patch(`/${url}/1`).set(of('a')).send(sent), 400, inputErrors(errors));
  });

contract('A list of keys is one of the tenant', async (subject) => {
  await fill(subject);
  const patch = (label_ids: readonly number[]) =>
    subject.request().patch('/tasks/1').set(of('a')).send({ label_ids });
  const { body } = await patch([2]);
  expect(body.data.labels).toEqual([{ name: 'a blue' }]);
  expect((await subject.request().get('/tasks/1').set(of('b'))).body.data.labels).toHaveLength(2);
  expectAnswer(await patch([1, 7]), 400, inputErrors({ label_ids: 'the given record does not exist' }));
});

contract(
  'What a rule, a join or a function finds among others says nothing of the tenant',
  async (subject) => {
    await fill(subject);
    const em = subject.em();
    // Has the key of a task of tenant b, and a name that the rule lets everybody see.
    em.create(Task, { tenant: 'b', id: 4, name: 'a 4', rank: 4 });
    await em.flush();
    const names = async (path: string, tenant: string) => {
      const { body } = await subject.request().get(path).set(of(tenant));
      return body.data.map((record: Record<string, string>) => record['name'] ?? record['called']);
    };
    expect(await names('/ruled', 'a')).toEqual(['a 1', 'a 2', 'a 3']);
    expect(await names('/ruled', 'b')).toEqual(['a 4']);
    expect(await names('/mapped', 'a')).toEqual(['a 1', 'a 2', 'a 3']);
    expect(await names('/mapped', 'b')).toEqual(['b 1', 'b 2', 'b 3', 'a 4']);
    expect(await names('/joined', 'b')).toEqual(['b 1', 'b 2']);
  },
);

contract(
  'A record is created or changed by its key, and by a value that is unique in the tenant',
  async (subject) => {
    await fill(subject);
    const put = (path: string, body: object) => subject.request().put(path).set(of('a')).send(body);
    const rank = async (tenant: string, id: number) =>
      (await subject.em().findOne(Task, { tenant, id }))?.rank;
    expect((await put('/kept/1', { name: 'a 1', rank: 5 })).status).toBe(200);
    expect((await put('/kept/8', { name: 'a 8', rank: 6 })).status).toBe(201);
    expect((await put('/kept', { id: 2, name: 'a 2', rank: 7 })).status).toBe(200);
    expect((await put('/kept', { id: 7, name: 'b 2', rank: 7 })).status).toBe(201);
    expect([await rank('a', 1), await rank('a', 8), await rank('a', 2), await rank('a', 7)]).toEqual([
      5, 6, 7, 7,
    ]);
    expect([await rank('b', 1), await rank('b', 2)]).toEqual([1, 2]);
  },
);

contract('A record is written together with those that belong to it', async (subject) => {
  await fill(subject);
  const created = await subject
    .request()
    .post('/houses')
    .set(of('a'))
    .send({
      id: 5,
      name: 'a tower',
      tasks: [
        { id: 50, name: 'a 50' },
        { id: 51, name: 'a 51' },
      ],
    });
  expect([created.status, created.body.data]).toEqual([
    201,
    { id: 5, name: 'a tower', tasks: [{ name: 'a 50' }, { name: 'a 51' }] },
  ]);
  expect(await subject.em().count(Task, { tenant: 'a', project: ['a', 5] as never })).toBe(2);
});
