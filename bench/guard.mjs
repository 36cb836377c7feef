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
  turns: 5,
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

/** Measures, says what it found, and answers the ratios. */
async function measured() {
  const results = resultsOf(await measureRounds(options, { onProgress: () => undefined }), options);
  console.log(
    `CPU of LIMIT / CPU, per request, median of ${options.rounds} rounds\n\n${ratioTable(results)}\n`,
  );
  return ratiosOf(results);
}

/** By application and case, the higher one: who works on the same machine makes figures worse, never better. */
const better = (one, other) =>
  Object.fromEntries(
    ours.map((name) => [
      name,
      Object.fromEntries(options.cases.map((key) => [key, Math.max(one[name][key], other[name][key])])),
    ]),
  );

async function guard(wanted) {
  let found = await measured();
  if (fallen(found, wanted).length > 0) {
    console.log('Something is slower than before. Whether it is so once more:\n');
    found = better(found, await measured());
  }
  const sentences = fallen(found, wanted);
  if (sentences.length === 0) {
    console.log(`No figure is more than ${tolerance * 100} % below the one in bench/guard.json.`);
    return;
  }
  console.error(`Slower than before, twice:\n${sentences.join('\n')}`);
  process.exitCode = 1;
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
if (values.write) await writeFile(stored, `${JSON.stringify(await measured(), undefined, 2)}\n`);
else await guard(JSON.parse(await readFile(stored, 'utf8')));
