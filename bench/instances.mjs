// `npm run bench:instances`: two and four instances over one PostgreSQL through PgBouncer, beside one, with the same connections in
// all. `-- --short` for a minute. PgBouncer must be installed.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { PgBouncer, reasonAgainstPgBouncer } from '../test/drills/support/pgbouncer.mjs';
import { everyCase } from './load/cases.mjs';
import { openPostgres } from './database/postgres.records.mjs';
import { Generator } from './load/generator.mjs';
import { median } from './report/median.mjs';
import { Application } from './runs/application.mjs';
import { figuresOf, Measurement } from './runs/measurement.mjs';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });

if (reasonAgainstPgBouncer !== undefined) {
  console.error(`FAILED: ${reasonAgainstPgBouncer}`);
  process.exit(1);
}

const records = 10_000;
const options = { records, connections: 64 };
const [rounds, seconds, warmup] = values.short ? [2, 1, 0.5] : [5, 3, 1];
const cases = ['get', 'list1k', 'create', 'update'];
const counts = [1, 2, 4];
const name = 'ours-express-pooled';

/** Several instances as the one application that they are to a client. */
const together = (instances) => ({
  name,
  port: instances[0].port,
  ports: instances.map(({ port }) => port),
  cpu: async () => (await Promise.all(instances.map((one) => one.cpu()))).reduce((sum, one) => sum + one, 0),
});

const database = await openPostgres({ records, hasTenants: false });
const pooler = new PgBouncer({ port: Number(new URL(database.url).port) });
const generator = new Generator();
const instances = [];
try {
  await pooler.start();
  const url = Object.assign(new URL(pooler.url), { pathname: new URL(database.url).pathname }).href;
  for (let count = 0; count < Math.max(...counts); count += 1)
    instances.push(await Application.start(name, url));
  const measurement = new Measurement({ database, generator, options });
  // Code becomes quick by being run, and each instance has its own.
  for (const instance of instances)
    for (const caseName of cases)
      await measurement.turn(instance, caseName, { warmup, least: 1000, seconds: 0.2 });
  console.log(
    `PostgreSQL ${await database.version()} behind PgBouncer, ${options.connections} connections, ${cpus().length} cores for all of it`,
  );
  for (const caseName of cases) {
    const turns = new Map(counts.map((count) => [count, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const count of counts) {
        const application = together(instances.slice(0, count));
        const turn = await measurement.turn(application, caseName, { warmup: 0.3, least: 0, seconds });
        turns.get(count).push(figuresOf([turn]));
      }
    const of = (count, key) => median(turns.get(count).map((figures) => figures[key]));
    for (const count of counts) {
      const [perSecond, p50, p99, cpu] = ['perSecond', 'p50', 'p99', 'cpu'].map((key) => of(count, key));
      console.log(
        `${everyCase[caseName].title.padEnd(8)} ${count} ${perSecond.toFixed(0).padStart(6)}/s, ` +
          `${(perSecond / of(1, 'perSecond')).toFixed(2)} of one, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
          `${cpu.toFixed(0)} µs CPU of instances`,
      );
    }
  }
} finally {
  for (const instance of instances) await instance.stop();
  await generator.stop();
  await pooler.remove();
  await database.close();
}
