// `npm run bench:guard`: a short run that fails when this library has become slower: than the figures that were stored
// last (--write stores new ones), and than fixed targets, which see many small steps down that nobody saw one by one.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { applications } from './applications/list.mjs';
import { cases } from './load/cases.mjs';
import { resultsOf } from './report/results.mjs';
import { ratioTable } from './report/tables.mjs';
import { measureRounds } from './runs/rounds.mjs';

const stored = new URL('guard.json', import.meta.url);
const fixed = new URL('guard.targets.json', import.meta.url);

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

/** A sentence for every figure that has fallen too far below those of one of the files. */
const fallen = (found, files) => files.flatMap(({ file, wanted }) => belowOf(found, wanted, file));

const belowOf = (found, wanted, file) =>
  ours.flatMap((name) =>
    options.cases
      .filter((one) => found[name][one] < wanted[name][one] * (1 - tolerance))
      .map(
        (one) =>
          `${applications[name].title}, ${cases[one].title}: ${found[name][one].toFixed(2)} of LIMIT, ` +
          `${((1 - found[name][one] / wanted[name][one]) * 100).toFixed(0)} % below the ${wanted[name][one].toFixed(2)} ` +
          `that ${file} has (${tolerance * 100} % are allowed).`,
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

async function guard(files) {
  let found = await measured();
  if (fallen(found, files).length > 0) {
    console.log('Something is slower than before. Whether it is so once more:\n');
    found = better(found, await measured());
  }
  const sentences = fallen(found, files);
  if (sentences.length === 0) {
    console.log(`No figure is more than ${tolerance * 100} % below those that are stored, or fixed.`);
    return;
  }
  console.error(`Slower than before, twice:\n${sentences.join('\n')}`);
  process.exitCode = 1;
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
if (values.write) await writeFile(stored, `${JSON.stringify(await measured(), undefined, 2)}\n`);
else {
  const read = async (file) => ({
    file: `bench/${basename(file.pathname)}`,
    wanted: JSON.parse(await readFile(file, 'utf8')),
  });
  await guard([await read(stored), await read(fixed)]);
}
