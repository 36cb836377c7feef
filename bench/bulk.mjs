// `npm run bench:bulk`: what a hundred records in one request cost, beside one record, and beside loops by hand.
import { parseArgs } from 'node:util';
import { everyApplication, takes } from './applications/list.mjs';
import { everyCase } from './load/cases.mjs';
import { figuresIn } from './report/figure.mjs';
import { measureRounds } from './runs/rounds.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });

/** What a request for a hundred records may take of the server, as times of one record. */
const most = { create100: ['create', 8], update100: ['update', 10] };

const applications = ['ours-express', 'ours-fastify', 'fastify-pg-loop', 'feathers-loop'];
const options = {
  records: 10_000,
  rounds: Number(values.rounds),
  seconds: 2,
  turns: 2,
  warmup: 1,
  connections: 16,
  applications,
  cases: ['create', 'create100', 'update', 'update100'],
};
const { samples } = await measureRounds(options, { onProgress: () => undefined });
const figure = figuresIn(samples);

let isWithin = true;
for (const name of applications) {
  console.log(everyApplication[name].title);
  for (const caseName of options.cases.filter((one) => takes(name, one))) {
    const cpu = figure(name, caseName, 'cpu');
    const [one, times] = most[caseName] ?? [];
    const part = one === undefined ? undefined : cpu / figure(name, one, 'cpu');
    const isOurs = name.startsWith('ours');
    if (isOurs && part > times) isWithin = false;
    const beside =
      part === undefined ? '' : `, ${part.toFixed(1)} times ${one}${isOurs ? ` (at most ${times})` : ''}`;
    console.log(
      `  ${everyCase[caseName].title.padEnd(10)} ${cpu.toFixed(0).padStart(6)} µs CPU, PostgreSQL ` +
        `${figure(name, caseName, 'databaseCpu')?.toFixed(0) ?? '?'} µs, ` +
        `${figure(name, caseName, 'perSecond').toFixed(0)}/s${beside}`,
    );
  }
}
process.exitCode = isWithin ? 0 : 1;
