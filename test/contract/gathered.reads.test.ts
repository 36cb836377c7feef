import { afterAll, expect } from '@jest/globals';
import { recommendedOptions } from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { once, service, type Subject } from '../support/contract.js';
import { startWire } from '../support/wire.js';
import { Dial, gaugesWith, Gauge, shown, together, usual } from './gathered.gauges.js';

const wire = await startWire(String(process.env['TEST_DATABASE_URL']));
afterAll(() => wire.close());

const onWire = { driverOptions: { host: '127.0.0.1', port: wire.port } };
const one = { ...onWire, pool: { min: 1, max: 1 } };

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Gauges that differ in what they answer. */
const stored = async ({ em }: Subject, count: number): Promise<void> => {
  const rows = numbers(count).map((id) => ({ ...usual, id, code: `g${id}`, divisor: id }));
  await em().insertMany(Gauge, rows);
};

/** Records by their keys and by another unique value, and some that are not there. */
const mixed = (count: number): { readonly path: string; readonly expected: unknown }[] =>
  numbers(count).flatMap((id) => [
    { path: `/gauges/${id}`, expected: { status: 200, data: shown(id, Math.trunc(100 / id)) } },
    { path: `/coded/g${id}`, expected: { status: 200, data: { id } } },
    { path: `/gauges/${id + 1000}`, expected: { status: 404, data: [] } },
  ]);

const askMixed = async (subject: Subject, count = 12): Promise<void> => {
  await stored(subject, count);
  const asked = mixed(count);
  wire.since();
  const answers = await together(
    subject,
    asked.map(({ path }) => path),
  );
  expect(answers.map(({ status, data }) => ({ status, data }))).toEqual(
    asked.map(({ expected }) => expected),
  );
};

const gathered = service(gaugesWith({}, one), once).contract;

gathered('Gets that come together are few messages, and each has its own answer', async (subject) => {
  await askMixed(subject);
  const { statements, syncs } = wire.since();
  expect(statements).toBeGreaterThanOrEqual(36);
  // Sixteen at most are sent together.
  expect(syncs).toBeLessThanOrEqual(10);
});

gathered('Gets of who sees some records share messages, and each sees its own', async (subject) => {
  await stored(subject, 12);
  await subject.em().nativeUpdate(Gauge, { id: [3, 4] }, { kills: true });
  wire.since();
  const answers = await together(
    subject,
    numbers(12).map((id) => `/scoped/${id}`),
  );
  expect(answers.map(({ status }) => status)).toEqual(
    numbers(12).map((id) => (id === 3 || id === 4 ? 404 : 200)),
  );
  expect(wire.since().syncs).toBeLessThanOrEqual(4);
});

gathered('Searches that come together are sent one by one', async (subject) => {
  await stored(subject, 8);
  wire.since();
  const answers = await together(
    subject,
    numbers(8).map((id) => `/gauges?divisor=${id}`),
  );
  expect(answers.map(({ data }) => data)).toEqual(numbers(8).map((id) => [{ id }]));
  const { statements, syncs } = wire.since();
  expect(syncs).toBe(statements);
});

gathered('A Get that comes alone is a message of its own', async (subject) => {
  await stored(subject, 1);
  for (const _time of [1, 2, 3]) {
    wire.since();
    expect((await subject.request().get('/gauges/1')).status).toBe(200);
    expect(wire.since()).toEqual({ statements: 1, syncs: 1 });
  }
});

gathered('What others ask for is answered where a read fails', async (subject) => {
  await stored(subject, 8);
  await subject.em().nativeUpdate(Gauge, { id: [2, 5] }, { divisor: 0 });
  const answers = await together(
    subject,
    numbers(9).map((id) => `/gauges/${id}`),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, 200, 500, 200, 200, 200, 404]);
  expect(answers[3]?.data).toEqual(shown(4, 25));
});

gathered('What others ask for is answered where a read ends its connection', async (subject) => {
  await stored(subject, 8);
  await subject.em().nativeUpdate(Gauge, { id: 3 }, { kills: true });
  const answers = await together(
    subject,
    numbers(9).map((id) => `/gauges/${id}`),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 200, 200, 200, 200, 200, 404]);
});

gathered('A request that is given up takes nobody along', async (subject) => {
  await stored(subject, 6);
  await subject.em().nativeUpdate(Gauge, { id: 2 }, { nap: 20 });
  const answers = await together(subject, [
    '/gauges/1',
    '/hasty/2',
    ...[3, 4, 5, 6].map((id) => `/gauges/${id}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 200, 200, 200, 200]);
  // The only connection serves on.
  expect((await subject.request().get('/gauges/1')).status).toBe(200);
});

type Fate = 'found' | 'missing' | 'failing' | 'ending' | 'given up';

const fates = { found: 200, missing: 404, failing: 500, ending: 503, 'given up': 503 } satisfies Record<
  Fate,
  number
>;

gathered('Whatever comes together, each has its own answer', async (subject) => {
  const fate = fc.constantFrom<Fate>(
    'found',
    'found',
    'found',
    'missing',
    'missing',
    'failing',
    'ending',
    'given up',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { minLength: 2, maxLength: 24 }), async (asked) => {
      await subject.clean();
      const rows = asked.map((what, index) => ({
        id: index + 1,
        code: `g${index}`,
        divisor: what === 'failing' ? 0 : index + 1,
        nap: what === 'given up' ? 20 : 0,
        kills: what === 'ending',
      }));
      await subject.em().insertMany(
        Gauge,
        rows.filter((_, index) => asked[index] !== 'missing'),
      );
      const paths = asked.map((what, index) => `/${what === 'given up' ? 'hasty' : 'gauges'}/${index + 1}`);
      const answers = await together(subject, paths);
      expect(answers.map(({ status, data }) => [status, status === 200 ? data : undefined])).toEqual(
        asked.map((what, index) => [
          fates[what],
          what === 'found' ? shown(index + 1, Math.trunc(100 / (index + 1))) : undefined,
        ]),
      );
    }),
    { numRuns: Number(process.env['RUNS'] ?? 6) },
  );
});

gathered('Reads that come together survive names that the server has forgotten', async (subject) => {
  await askMixed(subject, 4);
  await subject.em().getConnection().execute('deallocate all');
  await subject.clean();
  await askMixed(subject, 4);
  expect(subject.log.text()).toContain('Statements are not prepared any more');
});

const line = await startWire(String(process.env['TEST_DATABASE_URL']));
afterAll(() => line.close());

const lost = service(
  gaugesWith({}, { driverOptions: { host: '127.0.0.1', port: line.port }, pool: { min: 1, max: 1 } }),
  once,
).contract;

lost('A connection that is lost under reads is noticed by nobody', async (subject) => {
  await stored(subject, 8);
  const paths = numbers(8).map((id) => `/gauges/${id}`);
  for (const _time of [1, 2, 3]) {
    await subject.em().nativeUpdate(Gauge, { id: 1 }, { nap: 0.05 });
    line.since();
    const asked = together(subject, paths);
    while (line.since().statements < 8) await new Promise(setImmediate);
    line.sever();
    expect((await asked).map(({ status }) => status)).toEqual(paths.map(() => 200));
  }
});

const changing = service(gaugesWith({}, one), once).contract;

changing('Reads that come together survive a type that changes', async (subject) => {
  await subject.em().insertMany(
    Dial,
    numbers(6).map((id) => ({ id, text: `d${id}` })),
  );
  const paths = numbers(6).map((id) => `/dials/${id}`);
  for (const type of ['text', 'varchar(50)', 'text']) {
    await subject.em().getConnection().execute(`alter table dial alter column text type ${type}`);
    const answers = await together(subject, paths);
    expect([type, answers.map(({ data }) => data)]).toEqual([
      type,
      numbers(6).map((id) => ({ text: `d${id}` })),
    ]);
  }
});

const unprepared = service(gaugesWith({ statements: 'unprepared' }, one), once).contract;

unprepared('Without prepared statements, Gets that come together are few messages too', async (subject) => {
  await askMixed(subject);
  expect(wire.since().syncs).toBeLessThanOrEqual(10);
});

const apart = service(gaugesWith({ gatherReads: false }, one), once).contract;

apart('gatherReads: false sends each read for itself', async (subject) => {
  await askMixed(subject);
  expect(wire.since().syncs).toBeGreaterThanOrEqual(36);
});

const lockTimeout = 1500;
const { driverOptions } = recommendedOptions({ lockTimeout });

const several = service(
  gaugesWith({}, { driverOptions: { ...driverOptions, ...onWire.driverOptions }, pool: { min: 4, max: 4 } }),
  once,
).contract;

/** Locks a table while `work` is done. */
const whileLocked = async <T>({ em }: Subject, table: string, work: () => Promise<T>): Promise<T> => {
  const holder = em();
  await holder.begin();
  await holder.getConnection().execute(`lock table ${table}`, [], 'run', holder.getTransactionContext());
  try {
    return await work();
  } finally {
    await holder.rollback();
  }
};

several('Nobody waits long for a lock that others wait for', async (subject) => {
  await stored(subject, 8);
  await subject.em().insertMany(
    Dial,
    numbers(8).map((id) => ({ id, text: `d${id}` })),
  );
  const paths = ['/gauges/1', ...numbers(8).map((id) => `/dials/${id}`), '/gauges/2'];
  const answers = await whileLocked(subject, 'gauge', () => together(subject, paths, 3));
  expect(answers.map(({ status }) => status)).toEqual([503, ...numbers(8).map(() => 200), 503]);
  const waits = answers.slice(1, 9).map(({ took }) => took);
  expect(Math.max(...waits)).toBeLessThan(lockTimeout / 2);
});

several('Who waits for a lock together with others waits no longer than alone', async (subject) => {
  await stored(subject, 24);
  const paths = numbers(24).map((id) => `/gauges/${id}`);
  const answers = await whileLocked(subject, 'gauge', () => together(subject, paths, 3));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 503));
  // The wait for a connection of the last of them counts, too: 2 s at most (`poolWait`).
  expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(2000 + 1000);
});
