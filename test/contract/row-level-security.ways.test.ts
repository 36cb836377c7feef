import { expect } from '@jest/globals';
import type { EntityName } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Authorization, Callable, EndpointGroup, Update, type RequestContext } from '@nest-endpoints/core';
import { MikroORM } from '@mikro-orm/core';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { as, Label, Project, Task } from './tenants.js';

type Em = SqlEntityManager;
type Named = readonly { readonly name: string }[];

const select = 'select name from task order by id';
interface Tables {
  readonly task: { readonly id: number; readonly name: string };
}
type Selecting = ReturnType<typeof kyselyOf>;
const kyselyOf = (em: Em) => em.getKysely<Tables>();
const named = (kysely: Selecting): Promise<Named> =>
  kysely.selectFrom('task').select('name').orderBy('id').execute();

/** Every way from an entity manager to the tasks. */
const ways: Readonly<Record<string, (em: Em) => Promise<unknown>>> = {
  find: (em) => em.find(Task, {}),
  execute: (em) => em.execute(select),
  repository: (em) => em.getRepository(Task).findAll(),
  queryBuilder: (em) => em.createQueryBuilder(Task).select('name').execute(),
  populated: async (em) => {
    const tasks = await em.find(Task, {}, { populate: ['labels'], strategy: 'select-in' });
    return tasks.map(({ name, labels }) => ({ name, labels: labels.getItems() }));
  },
  fork: (em) => em.fork().find(Task, {}),
  emptyFork: (em) => em.fork({ clear: false, schema: 'public', session: {} }).find(Task, {}),
  otherRole: (em) => em.fork({ session: { variables: { 'app.tenant': 'a' } } }).execute(select),
  forkKysely: async (em) => named(kyselyOf(em.fork())),
  freeFork: async (em) => named(kyselyOf(em.fork({ disableTransactions: false }))),
  kysely: async (em) => named(kyselyOf(em)),
  kyselyRead: async (em) => named(em.getKysely<Tables>({ type: 'read' })),
  transactional: (em) => em.transactional((inner) => named(kyselyOf(inner)), { clear: true }),
  requiresNew: (em) => em.fork().transactional((inner) => inner.execute(select)),
  notSupported: (em) => em.transactional((inner) => inner.execute(select), { propagation: 'not_supported' }),
  begun: async (em) => {
    const own = em.fork();
    await own.begin();
    const rows = await named(kyselyOf(own));
    await own.commit();
    return rows;
  },
  connection: (em) => em.getConnection().execute(select),
  connectionTransaction: (em) =>
    em.getConnection().transactional((context) => em.getConnection().execute(select, [], 'all', context)),
  dump: (em) => em.getConnection().executeDump(select),
  client: async (em) => named(em.getConnection().getClient<Tables>()),
  native: async (em) => em.getConnection().getNativeClient(),
  driver: (em) => em.getDriver().execute(select),
  driverConnection: (em) => em.getDriver().getConnection().execute(select),
  driverFind: (em) => em.getDriver().find(Task as EntityName<object>, {}),
  driverManager: async (em) => em.getDriver().createEntityManager().fork().find(Task, {}),
  cleared: async (em) => {
    const own = em.fork();
    own.clearSessionContext();
    return own.execute(select);
  },
  clearedItself: async (em) => {
    em.clearSessionContext();
    return em.execute(select);
  },
  stream: async (em) => {
    const found: unknown[] = [];
    for await (const task of em.stream(Task, {})) found.push(task);
    return found;
  },
};

/** On PGlite these wait for the open transaction for ever, and streams are not there. */
const apart = new Set(['fork', 'emptyFork', 'otherRole', 'requiresNew', 'notSupported', 'begun', 'stream']);

/** What each way shows: names of tasks, or that it is refused. */
const shown = async (em: Em, left: ReadonlySet<string>): Promise<Record<string, unknown>> => {
  const seen: Record<string, unknown> = {};
  for (const [name, way] of Object.entries(ways)) {
    if (left.has(name)) continue;
    try {
      const rows = (await way(em)) as Named;
      seen[name] = Array.isArray(rows) ? rows.map((row) => (row as Named[number]).name).join() : typeof rows;
    } catch (error) {
      seen[name] = error instanceof Error && error.message.includes('ow level security') ? 'refused' : error;
    }
  }
  return seen;
};

const refusedEverywhere = [
  'connection',
  'connectionTransaction',
  'dump',
  'client',
  'native',
  'driver',
  'driverConnection',
  'driverFind',
  'driverManager',
  'cleared',
  'clearedItself',
  'forkKysely',
  'freeFork',
];
const refusedOutside = [...refusedEverywhere, 'kysely', 'kyselyRead', 'stream'];

const expected = (refused: readonly string[], left: ReadonlySet<string>): Record<string, string> =>
  Object.fromEntries(
    Object.keys(ways)
      .filter((name) => !left.has(name))
      .map((name) => [name, refused.includes(name) ? 'refused' : 'own']),
  );

/** What functions saw that give no answer of their own. */
let seen: Record<string, unknown>[] = [];
let left: ReadonlySet<string> = new Set();
let orm: MikroORM | undefined;
let unawaited: Promise<readonly PromiseSettledResult<unknown>[]> = Promise.resolve([]);

const look = async ({ em }: Pick<RequestContext, 'em'>): Promise<void> => {
  seen.push(await shown(em, left));
};

class LookingGate extends Authorization {
  override async gate(_identity: unknown, context: RequestContext): Promise<boolean> {
    await look(context);
    return true;
  }
}

const { contract } = service(
  {
    entities: [Project, Task, Label],
    root: {
      rowLevelSecurity: {
        variables: (identity: { tenant: string } | undefined) => ({ 'app.tenant': identity?.tenant }),
        role: 'nest_endpoints_looker',
      },
    },
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        endpoints: [
          new Callable({ url: 'called', toCall: look }),
          new Callable({
            url: 'injected',
            toCall: () => look({ em: orm?.em as unknown as Em }),
          }),
          new Callable({ url: 'gated', authorization: new LookingGate(), toCall: () => 'in' }),
          new Callable({
            url: 'headed',
            toCall: () => 'answer',
            responseHeaders: async (context: RequestContext) => {
              await look(context);
              return [];
            },
          }),
          new Callable({
            url: 'streamed',
            returnStandardResponse: false,
            toCall: async function* ({ em }) {
              for (const _round of [1, 2]) yield JSON.stringify(await shown(em, left));
            },
          }),
          new Callable({
            url: 'later',
            toCall: ({ em }) => {
              setImmediate(() => setImmediate(() => void look({ em })));
              return 'before';
            },
          }),
          new Callable({
            url: 'unawaited',
            toCall: ({ em }) => {
              const kysely = kyselyOf(em);
              const asked = Array.from({ length: 20 }, () => named(kysely));
              unawaited = Promise.allSettled([...asked, em.execute(select), em.find(Task, {})]);
              return 'before';
            },
          }),
          new Update({
            url: 'updated/:id',
            modelClass: Task,
            readableColumnNames: ['id'],
            writeableColumnNames: ['rank'],
            afterCommit: look,
          }),
        ],
      }),
    ],
  },
  postgresqlOnly,
);

const prepare = async (subject: Subject): Promise<void> => {
  orm = subject.orm;
  seen = [];
  left = new Set();
  await subject.em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_looker;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on label, project, task, task_labels to nest_endpoints_looker;
    alter table task enable row level security;
    drop policy if exists own on task;
    create policy own on task using (tenant = current_setting('app.tenant', true));`);
  await subject.save(Task, { id: 1, tenant: 'a', name: 'own' });
  await subject.save(Task, { id: 2, tenant: 'b', name: 'foreign' });
};

const ask = async (subject: Subject, path: string): Promise<void> => {
  const { status } = await subject.request().get(path).set(as('a'));
  expect(status).toBe(200);
};

/** Within the transaction of a request. */
const within = async (subject: Subject, path: string): Promise<void> => {
  await prepare(subject);
  if (subject.database === 'pglite') left = apart;
  await ask(subject, path);
  expect(seen).toEqual([expected([...refusedEverywhere], left)]);
};

contract('No way of an entity manager leads out of the session of a request', (subject) =>
  within(subject, '/called'),
);

contract('No way of an injected entity manager leads out of the session of a request', (subject) =>
  within(subject, '/injected'),
);

contract('A gate is asked within the session of its request', (subject) => within(subject, '/gated'));

contract('No way leads out of the session once its transaction is over', async (subject) => {
  await prepare(subject);
  await ask(subject, '/headed');
  expect((await subject.request().patch('/updated/1').set(as('a')).send({ rank: 2 })).status).toBe(200);
  await ask(subject, '/later');
  while (seen.length < 3) await new Promise(setImmediate);
  const outside = expected(refusedOutside, left);
  expect(seen).toEqual([outside, outside, outside]);
});

contract('No way leads out of the session while a stream flows', async (subject) => {
  await prepare(subject);
  const { text } = await subject.request().get('/streamed').set(as('a')).buffer(true);
  expect(text).toBe(JSON.stringify(expected(refusedOutside, left)).repeat(2));
});

contract('What nobody waits for does not outlive the session', async (subject) => {
  await prepare(subject);
  await ask(subject, '/unawaited');
  const outcomes = await unawaited;
  expect(outcomes).toHaveLength(22);
  const names = outcomes.flatMap((outcome) => {
    const { value = [] } = outcome as { value?: Named };
    return value.map(({ name }) => name);
  });
  expect(new Set(names)).toEqual(new Set(['own']));
  // And the next request on the connection is not disturbed.
  await ask(subject, '/unawaited');
  await unawaited;
});
