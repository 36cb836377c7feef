import { expect } from '@jest/globals';
import { fc } from '../support/property.js';
import type { Subject } from '../support/contract.js';
import { as, Label, Project, Task } from './tenants.js';

/** What the records of tenant `b` say; how they are linked with those of tenant `a` is the same in every world. */
interface Foreign {
  readonly name: string;
  readonly rank: number;
  readonly labels: readonly number[];
}

const rank = fc.integer({ min: -3, max: 3 });
const foreign: fc.Arbitrary<readonly Foreign[]> = fc.array(
  fc.record({
    name: fc.constantFrom('x', 'y', 'z', 'own 1', 'project 1', 'Ω'),
    rank,
    labels: fc.subarray([101, 102]),
  }),
  { minLength: 2, maxLength: 6 },
);

/** A record of tenant `a`: it may be led astray, to records of the other tenant. */
const own = fc.record({
  rank,
  project: fc.constantFrom(null, 1, 2, 101, 102),
  before: fc.constantFrom(null, 1, 101, 102),
  labels: fc.subarray([1, 101]),
});

const operators = ['=', '!=', '<=>', '>', '<', 'in', 'is null', 'is not null', 'like'] as const;

/** One condition of a search: the columns of parents and of lists among them. */
const condition = fc
  .tuple(
    fc.constantFrom('name', 'rank', 'project_id', 'project.name', 'before.name', 'labels.name'),
    fc.constantFrom(...operators),
    fc.constantFrom<unknown>('x', 'own 1', 'project 1', '%', 1, 0, 101),
  )
  .map(([column, operator, value]) =>
    operator.endsWith('null')
      ? { column, operator }
      : { column, operator, value: operator === 'in' ? [value] : value },
  );

/** A condition, or a group of some: what a group says of records it says within the tenant. */
const entry: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: condition },
  { weight: 1, arbitrary: fc.array(condition, { minLength: 1, maxLength: 3 }).map((any) => ({ any })) },
  { weight: 1, arbitrary: condition.map((not) => ({ not })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('some', 'none'), fc.constantFrom('x', 'y', 'own 1'), fc.boolean())
      .map(([word, value, isAsked]) => {
        const all = isAsked ? [{ not: { column: 'name', operator: '=', value } }] : [];
        return {
          any: [
            { [word]: 'labels', all },
            { column: 'name', operator: '=', value },
          ],
        };
      }),
  },
);

const sort = fc.record({
  column: fc.constantFrom('id', 'rank', 'project.name', 'project.rank', 'before.rank'),
  direction: fc.constantFrom('asc', 'desc'),
});

interface Asked {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly body?: object;
}

const search: fc.Arbitrary<Asked> = fc.record({
  method: fc.constant('post'),
  path: fc.constantFrom('/search', '/estimated'),
  body: fc.record({
    where: fc.array(entry, { maxLength: 3 }),
    sort: fc.array(sort, { maxLength: 2 }),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
});

const where = fc.array(entry, { maxLength: 2 });

/** Groups by the columns of parents, and what is measured of these. */
const groups: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    method: fc.constant('post'),
    path: fc.constant('/totals'),
    body: fc.record({
      group_by: fc.subarray(['name', 'rank', 'project_id', 'project.name', 'before.name'], { maxLength: 3 }),
      measures: fc.subarray(['count', 'rank.sum', 'project.rank.sum', 'project.rank.max', 'before.name.min']),
      where,
    }),
  }),
  fc.record({
    method: fc.constant('post'),
    path: fc.constant('/facets'),
    body: fc.record({
      facets: fc.subarray(['rank', 'project.name', 'before.name'], { minLength: 1 }),
      where,
    }),
  }),
  fc.record({
    method: fc.constant('get'),
    path: fc.constantFrom(
      '/facets?facets=project.name&starts_with=x',
      '/totals?group_by=before.name&labels.name=y',
    ),
  }),
);

const list: fc.Arbitrary<Asked> = fc.record({
  method: fc.constant('get'),
  path: fc.constantFrom(
    '/tasks',
    '/tasks?sort=project.name&direction=desc&limit=2',
    '/tasks?project.name=x',
    '/tasks?labels.name=y',
    '/grouped',
    '/projects',
    '/projects?tasks.name=x',
    '/projects?tasks.labels.name=z',
    '/tasks/1',
    '/tasks/101',
    '/projects/102',
  ),
});

const key = fc.constantFrom(1, 2, 101, 102, 999);
const written: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    method: fc.constant('patch'),
    path: fc.constantFrom('/tasks/1', '/tasks/101'),
    body: fc.record(
      {
        name: fc.constantFrom('x', 'own 2', 'new'),
        project_id: key,
        before_id: key,
        label_ids: fc.array(key, { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ method: fc.constant('delete'), path: fc.constantFrom('/tasks/102', '/projects/101') }),
  fc.record({
    method: fc.constant('post'),
    path: fc.constant('/tasks'),
    body: fc.record({
      id: fc.constant(50),
      tenant: fc.constant('a'),
      name: fc.constantFrom('x', 'y', 'own 1', 'new'),
      project_id: key,
    }),
  }),
);

export const twoWorlds = fc.record({
  own: fc.array(own, { minLength: 2, maxLength: 6 }),
  worlds: fc.tuple(foreign, foreign),
  asked: fc.array(fc.oneof(search, groups, list, written), { minLength: 4, maxLength: 12 }),
});

type Worlds = typeof twoWorlds extends fc.Arbitrary<infer T> ? T : never;

/**
 * What tenant `a` is answered does not depend on what the records of tenant `b` say: neither the status, nor the
 * bodies, nor the pages behind cursors.
 */
export const expectNoMixing = async (
  subject: Subject,
  { own, worlds, asked }: Worlds,
  around: (answer: () => Promise<void>) => Promise<void> = (answer) => answer(),
): Promise<void> => {
  const answers: unknown[] = [];
  for (const world of worlds) {
    await subject.clean();
    await fill(subject, own, world);
    await around(async () => {
      answers.push(await answersTo(subject, asked));
    });
  }
  expect(answers[1]).toEqual(answers[0]);
};

const fill = async (subject: Subject, own: Worlds['own'], world: readonly Foreign[]): Promise<void> => {
  const em = subject.em();
  const both = [1, 2, 101, 102];
  for (const id of both) {
    const [tenant, foreign] = id > 100 ? ['b', world[id - 101]] : ['a', undefined];
    const name = foreign?.name ?? `project ${id}`;
    em.create(Label, { id, tenant, name });
    em.create(Project, { id, tenant, name: `${name}${id > 100 ? id : ''}`, rank: foreign?.rank ?? id });
  }
  await em.flush();
  for (const [index, { name, rank, labels }] of world.entries())
    em.create(Task, {
      id: 101 + index,
      tenant: 'b',
      // Unique per tenant, and in the other tenant free.
      name: index === 0 ? name : `${name}${index}`,
      rank,
      labels: [...labels],
      project: 101,
    });
  await em.flush();
  for (const [index, { rank, project, before, labels }] of own.entries()) {
    const prior = before === 1 && index === 0 ? null : before;
    em.create(Task, {
      id: 1 + index,
      tenant: 'a',
      name: `own ${index + 1}`,
      rank,
      project,
      before: prior,
      labels: [...labels],
    });
    await em.flush();
  }
};

/** Every answer, and the page after it. */
const answersTo = async (subject: Subject, asked: readonly Asked[]): Promise<unknown[]> => {
  const answers: unknown[] = [];
  for (const one of asked) {
    const first = await answerTo(subject, one);
    answers.push(withoutCursor(first));
    const after = first.body?.pagination?.next_page?.after;
    if (after !== undefined)
      answers.push(withoutCursor(await answerTo(subject, { ...one, body: { ...one.body, after } })));
  }
  return answers;
};

interface Page {
  readonly status: number;
  readonly body: { readonly pagination?: { readonly next_page?: { readonly after?: string } } } | undefined;
}

const answerTo = async (subject: Subject, { method, path, body }: Asked): Promise<Page> => {
  const request = subject.request()[method](path).set(as('a'));
  const { status, body: answered } = await (body === undefined ? request : request.send(body));
  return { status, body: answered as Page['body'] };
};

/** A cursor is encrypted anew each time. */
const withoutCursor = (page: Page): unknown =>
  JSON.parse(JSON.stringify(page, (name, value: unknown) => (name === 'after' ? 'a cursor' : value)));
