// `npm run bench:changes`: what the log of changes costs a write of one statement, beside the same write without it.
import { parseArgs } from 'node:util';
import { everyApplication } from './applications/list.mjs';
import { everyCase } from './load/cases.mjs';
import { figuresIn } from './report/figure.mjs';
import { measureRounds } from './runs/rounds.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });

/** What a recorded update may take of the server, as times of one that is not. */
const most = 1.25;

const [plain, recorded] = ['ours-express', 'ours-express-recorded'];
const options = {
  records: 10_000,
  rounds: Number(values.rounds),
  seconds: 2,
  turns: 2,
  warmup: 1,
  connections: 16,
  applications: [plain, recorded],
  cases: ['get', 'create', 'update', 'delete'],
};
const { samples } = await measureRounds(options, { onProgress: () => undefined });
const figure = figuresIn(samples);

let isWithin = true;
console.log(everyApplication[recorded].title);
for (const caseName of options.cases) {
  const [one, other] = [plain, recorded].map((name) => ({
    cpu: figure(name, caseName, 'cpu'),
    database: figure(name, caseName, 'databaseCpu'),
  }));
  const times = other.cpu / one.cpu;
  if (caseName === 'update' && times > most) isWithin = false;
  const limit = caseName === 'update' ? ` (at most ${String(most)})` : '';
  console.log(
    `  ${everyCase[caseName].title.padEnd(10)} ${other.cpu.toFixed(0).padStart(5)} µs CPU, without ${one.cpu.toFixed(0).padStart(5)} µs: ` +
      `${times.toFixed(2)} times${limit}; PostgreSQL ${other.database?.toFixed(0) ?? '?'} µs, without ${one.database?.toFixed(0) ?? '?'} µs`,
  );
}
process.exitCode = isWithin ? 0 : 1;
