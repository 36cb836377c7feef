// `npm run bench:limits`: what a rate limit costs a request, beside the same request without one.
import { parseArgs } from 'node:util';
import { everyApplication, limited } from './applications/list.mjs';
import { everyCase } from './load/cases.mjs';
import { figuresIn } from './report/figure.mjs';
import { median } from './report/median.mjs';
import { measureRounds } from './runs/rounds.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
});

/** What a request may take of the server, as times of one without a limit; one that asks the database is only shown. */
const most = { 'ours-express-limited': 1.15, 'ours-express-leased': 1.15 };

const plain = 'ours-express';
const options = {
  records: 10_000,
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  turns: 4,
  warmup: 1,
  connections: 16,
  applications: [plain, ...Object.keys(limited)],
  cases: ['get', 'list1k', 'update'],
};
const { samples } = await measureRounds(options, { onProgress: () => undefined });

/** A round's turns are beside each other, so that ratios are of one moment. */
const ratios = (name, caseName, key) =>
  samples[name].cases[caseName].map(
    (figures, round) => figures[key] / samples[plain].cases[caseName][round][key],
  );

let isWithin = true;
for (const name of Object.keys(limited)) {
  console.log(everyApplication[name].title);
  for (const caseName of options.cases) {
    const times = median(ratios(name, caseName, 'cpu'));
    const database = median(ratios(name, caseName, 'databaseCpu'));
    const limit = most[name] === undefined ? '' : ` (at most ${String(most[name])})`;
    if (times > (most[name] ?? Infinity)) isWithin = false;
    const cpu = figuresIn(samples)(name, caseName, 'cpu');
    console.log(
      `  ${everyCase[caseName].title.padEnd(10)} ${times.toFixed(2)} times${limit}, ${cpu.toFixed(0)} µs CPU; ` +
        `PostgreSQL ${database.toFixed(2)} times`,
    );
  }
}
process.exitCode = isWithin ? 0 : 1;
