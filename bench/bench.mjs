// `npm run bench` in the root of the repository; `npm run bench -- --help` says what it can be told.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chart } from './report/chart.mjs';
import { merged } from './report/merged.mjs';
import { renewPages } from './report/pages.mjs';
import { resultsOf } from './report/results.mjs';
import {
  besideTable,
  cpuTable,
  databaseTable,
  processTable,
  rateTable,
  ratioTable,
} from './report/tables.mjs';
import { targetText } from './report/targets.mjs';
import { help, isWhole, readOptions } from './runs/options.mjs';
import { measureRounds } from './runs/rounds.mjs';
import { prepareTenantToken } from './runs/tenant.token.mjs';

const latest = new URL('results/latest.json', import.meta.url).pathname;

async function writeTo(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** A line for each figure, with the time that has passed: who waits sees how far it is. */
function progressSince(begun) {
  return ({ round, application, caseName, rate, figures: { cpu, perSecond, p50, p99 } }) => {
    const minutes = `${((performance.now() - begun) / 60_000).toFixed(1)} min`;
    const about = caseName === undefined ? `${rate}/s` : caseName;
    const found =
      caseName === undefined
        ? `p50 ${p50.toFixed(1)} ms`
        : `${cpu.toFixed(0).padStart(5)} µs CPU ${perSecond.toFixed(0).padStart(6)}/s`;
    const place = `${minutes.padStart(9)}  round ${round + 1}  ${about.padEnd(8)} ${application.padEnd(28)}`;
    console.log(`${place}${found}  p99 ${p99.toFixed(1)} ms`);
  };
}

function show(results) {
  console.log(`\nCPU of LIMIT / CPU, per request\n\n${ratioTable(results)}`);
  console.log(`\nCapacity, as a part of the same without\n\n${besideTable(results)}`);
  console.log(`\nCPU, µs per request\n\n${cpuTable(results)}`);
  console.log(`\nCPU of PostgreSQL, µs per request\n\n${databaseTable(results)}`);
  console.log(`\nLatency of a get at fixed rates, p50 / p95 / p99 in ms\n\n${rateTable(results)}`);
  console.log(`\n${processTable(results)}\n\n${targetText(results)}`);
}

async function measure(options) {
  const begun = performance.now();
  prepareTenantToken();
  const results = resultsOf(await measureRounds(options, { onProgress: progressSince(begun) }), options);
  show(results);
  console.log(`\n${((performance.now() - begun) / 60_000).toFixed(1)} minutes`);
  return results;
}

const jsonOf = (results) => `${JSON.stringify(results, undefined, 2)}\n`;

const kept = async () => JSON.parse(await readFile(latest, 'utf8'));

async function write({ json: file, svg, write: isWanted = isWhole(options) }, results) {
  if (file !== undefined) await writeTo(file, jsonOf(results));
  if (svg !== undefined) await writeTo(svg, chart(results));
  if (!isWanted) return;
  // A run of some applications or cases renews theirs alone.
  const all = isWhole(options) ? results : merged(await kept(), results);
  await writeTo(latest, jsonOf(all));
  await renewPages(all);
  console.log('bench/results, docs/performance.md with its charts, and the README are renewed.');
}

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(`npm run bench -- [options]\n\n${help()}`);
else if (options.report) await renewPages(await kept());
else await write(options, await measure(options));
