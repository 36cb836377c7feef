// `npm run bench:guard`: a short run that fails when this library is slower than it is to be. The figures it is held to are
// fixed: figures that each change renews do not see many small steps down.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { applications, limitOf } from './applications/list.mjs';
import { cases } from './load/cases.mjs';
import { resultsOf } from './report/results.mjs';
import { ratioTable } from './report/tables.mjs';
import { measureRounds } from './runs/rounds.mjs';
import { prepareTenantToken } from './runs/tenant.token.mjs';

const targets = new URL('guard.targets.json', import.meta.url);
const wanted = JSON.parse(await readFile(targets, 'utf8'));

/** A machine that others work on is not more exact than this. */
const tolerance = 0.15;

const options = {
  records: 10_000,
  rounds: 3,
  seconds: 0.6,
  turns: 4,
  warmup: 0.3,
  connections: 64,
  // The real application on one platform sees what slows down tokens, scopes or that platform; the open one the rest.
  applications: ['limit-tenant', 'ours-express-tenant', 'limit', 'ours-fastify'],
  cases: ['get', 'create', 'list1k'],
};

const ours = options.applications.filter((name) => limitOf(name) !== name);

const ratiosOf = (results) =>
  Object.fromEntries(
    ours.map((name) => [
      name,
      Object.fromEntries(options.cases.map((one) => [one, results.applications[name].cases[one].ratio])),
    ]),
  );

/** A sentence for every figure that is too far below its target. */
const fallen = (found) =>
  ours.flatMap((name) =>
    options.cases
      .filter((one) => found[name][one] < wanted[name][one] * (1 - tolerance))
      .map(
        (one) =>
          `${applications[name].title}, ${cases[one].title}: ${found[name][one].toFixed(2)} of LIMIT, ` +
          `${((1 - found[name][one] / wanted[name][one]) * 100).toFixed(0)} % below the ${wanted[name][one].toFixed(2)} ` +
          `that bench/${basename(targets.pathname)} has (${tolerance * 100} % are allowed).`,
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

prepareTenantToken();
let found = await measured();
if (fallen(found).length > 0) {
  console.log('Something is slower than it is to be. Whether it is so once more:\n');
  found = better(found, await measured());
}
const sentences = fallen(found);
if (sentences.length === 0) console.log(`No figure is more than ${tolerance * 100} % below its target.`);
else {
  console.error(`Slower than it is to be, twice:\n${sentences.join('\n')}`);
  process.exitCode = 1;
}
