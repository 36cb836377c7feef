// `npm run bench:mariadb`: this library on MariaDB beside what is written by hand with `mysql2`, past MikroORM and through it.
import { parseArgs } from 'node:util';
import { everyApplication, limitOf, onMariaDb, takes } from './applications/list.mjs';
import { openMariaDb } from './database/mariadb.records.mjs';
import { cases, everyCase } from './load/cases.mjs';
import { figuresIn } from './report/figure.mjs';
import { measureRounds } from './runs/rounds.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    cases: { type: 'string', default: Object.keys(cases).join() },
    applications: { type: 'string', default: Object.keys(onMariaDb).join() },
  },
});

/** The least part of the capacity of what is written by hand. */
const least = 0.7;

/** The cases that it is asked of: an update is more than one statement by hand, too. */
const judged = new Set(['get', 'list1k', 'create', 'update', 'delete']);

const options = {
  records: 10_000,
  rounds: Number(values.rounds),
  seconds: 2,
  turns: 2,
  warmup: 1,
  connections: 64,
  applications: values.applications.split(','),
  cases: values.cases.split(','),
};
const { samples, databaseVersion } = await measureRounds(options, {
  onProgress: () => undefined,
  open: openMariaDb,
});
const figure = figuresIn(samples);

console.log(`MariaDB ${databaseVersion}, Node ${process.versions.node}`);
let isReached = true;
for (const name of options.applications) {
  console.log(everyApplication[name].title);
  for (const caseName of options.cases.filter((one) => takes(name, one))) {
    const cpu = figure(name, caseName, 'cpu');
    const limit = limitOf(name);
    const part = limit in samples ? figure(limit, caseName, 'cpu') / cpu : undefined;
    if (name === 'ours-express-mariadb' && judged.has(caseName) && part < least) isReached = false;
    console.log(
      `  ${everyCase[caseName].title.padEnd(14)} ${cpu.toFixed(0).padStart(6)} µs CPU, MariaDB ` +
        `${figure(name, caseName, 'databaseCpu').toFixed(0).padStart(5)} µs, ` +
        `${figure(name, caseName, 'perSecond').toFixed(0).padStart(6)}/s, ${part?.toFixed(2) ?? '?'} of LIMIT`,
    );
  }
}
process.exitCode = isReached ? 0 : 1;
