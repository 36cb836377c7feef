// `npm run bench` in the root of the repository; `npm run bench -- --help` says what it can be told.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chart } from './report/chart.mjs';
import { renewPages } from './report/pages.mjs';
import { resultsOf } from './report/results.mjs';
import { cpuTable, processTable, ratioTable } from './report/tables.mjs';
import { missedTargets } from './report/targets.mjs';
import { help, isWhole, readOptions } from './runs/options.mjs';
import { measureRounds } from './runs/rounds.mjs';
import { prepareTenantToken } from './runs/tenant.token.mjs';

const latest = new URL('results/latest.json', import.meta.url).pathname;

async function writeTo(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const progress = ({ round, application, caseName, figures: { cpu, perSecond, p99 } }) =>
  console.log(
    `round ${round + 1}  ${caseName.padEnd(8)} ${application.padEnd(21)}` +
      `${cpu.toFixed(0).padStart(6)} µs CPU ${perSecond.toFixed(0).padStart(7)}/s  p99 ${p99.toFixed(1)} ms`,
  );

async function measure(options) {
  const begun = performance.now();
  prepareTenantToken();
  const results = resultsOf(await measureRounds(options, { onProgress: progress }), options);
  console.log(`\nCPU of LIMIT / CPU, per request\n\n${ratioTable(results)}`);
  console.log(`\nCPU, µs per request\n\n${cpuTable(results)}\n\n${processTable(results)}`);
  console.log(`\n${missedTargets(results).join('\n') || 'Every target is reached.'}`);
  console.log(`\n${((performance.now() - begun) / 60_000).toFixed(1)} minutes`);
  return results;
}

async function write(options, results) {
  const json = `${JSON.stringify(results, undefined, 2)}\n`;
  if (options.json !== undefined) await writeTo(options.json, json);
  if (options.svg !== undefined) await writeTo(options.svg, chart(results));
  if (!options.write || !isWhole(options)) return;
  await writeTo(latest, json);
  await renewPages(results);
}

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(`npm run bench -- [options]\n\n${help()}`);
else if (options.report) await renewPages(JSON.parse(await readFile(latest, 'utf8')));
else await write(options, await measure(options));
