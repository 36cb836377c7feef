// `npm run bench:guard`: a short run that fails when this library has become slower. With --write it stores the figures
// that later runs are held against.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { applications } from './applications/list.mjs';
import { cases } from './load/cases.mjs';
import { resultsOf } from './report/results.mjs';
import { ratioTable } from './report/tables.mjs';
import { measureRounds } from './runs/rounds.mjs';

const stored = new URL('guard.json', import.meta.url);

/** A machine that others work on is not more exact than this. */
const tolerance = 0.15;

const options = {
  records: 10_000,
  rounds: 3,
  seconds: 1.5,
  warmup: 0.5,
  connections: 64,
  applications: ['limit', 'ours-express', 'ours-fastify'],
  cases: ['get', 'create', 'list1k'],
};

const ours = options.applications.filter((name) => name !== 'limit');

const ratiosOf = (results) =>
  Object.fromEntries(
    ours.map((name) => [
      name,
      Object.fromEntries(options.cases.map((one) => [one, results.applications[name].cases[one].ratio])),
    ]),
  );

/** A sentence for every figure that has fallen too far. */
const fallen = (found, wanted) =>
  ours.flatMap((name) =>
    options.cases
      .filter((one) => found[name][one] < wanted[name][one] * (1 - tolerance))
      .map(
        (one) =>
          `${applications[name].title}, ${cases[one].title}: ${found[name][one].toFixed(2)} of LIMIT, ` +
          `${((1 - found[name][one] / wanted[name][one]) * 100).toFixed(0)} % below the ${wanted[name][one].toFixed(2)} ` +
          `that bench/guard.json has (${tolerance * 100} % are allowed).`,
      ),
  );

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const results = resultsOf(await measureRounds(options, { onProgress: () => undefined }), options);
console.log(
  `CPU of LIMIT / CPU, per request, median of ${options.rounds} rounds\n\n${ratioTable(results)}\n`,
);

const found = ratiosOf(results);
if (values.write) await writeFile(stored, `${JSON.stringify(found, undefined, 2)}\n`);
else {
  const sentences = fallen(found, JSON.parse(await readFile(stored, 'utf8')));
  if (sentences.length > 0) {
    console.error(`Slower than before:\n${sentences.join('\n')}`);
    process.exitCode = 1;
  } else console.log('No figure is more than 15 % below the one in bench/guard.json.');
}
