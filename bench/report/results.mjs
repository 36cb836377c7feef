import { readFileSync } from 'node:fs';
import { cpus, totalmem, type, release } from 'node:os';
import { applications, besideOf, limitOf, takesAll } from '../applications/list.mjs';
import { median } from './median.mjs';
import { treeNow } from './tree.mjs';

const packages = [
  '@nestjs/core',
  '@mikro-orm/core',
  'pg',
  'fastify',
  '@dataui/crud',
  'nestjs-paginate',
  'typeorm',
  '@feathersjs/feathers',
  'knex',
];

/** Of the beginning of the run: whoever waits for its end may commit meanwhile. */
const tree = treeNow();

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

const rounded = (value, digits) => (value === null ? null : Number(value.toFixed(digits)));

/** How much of the capacity of another an application has; of one round, which had the same machine. */
const share = (rounds, others) =>
  others === undefined ? null : rounded(median(rounds.map(({ cpu }, round) => others[round].cpu / cpu)), 3);

/**
 * Medians over the rounds.
 * @param limits the figures of LIMIT
 * @param besides those of the application that has everything but what this one is about
 */
function caseResult(rounds, limits, besides) {
  const middle = (key, digits) =>
    rounds[0][key] === null ? null : rounded(median(rounds.map((figures) => figures[key])), digits);
  return {
    ratio: share(rounds, limits),
    beside: share(rounds, besides),
    cpu: middle('cpu', 1),
    databaseCpu: middle('databaseCpu', 1),
    perSecond: middle('perSecond', 0),
    p50: middle('p50', 2),
    p95: middle('p95', 2),
    p99: middle('p99', 2),
  };
}

const quantiles = (rounds) =>
  Object.fromEntries(
    ['p50', 'p95', 'p99'].map((key) => [key, rounded(median(rounds.map((figures) => figures[key])), 2)]),
  );

function applicationResult(name, samples) {
  const { coldStart, memory, cases, rates } = samples[name];
  const [limit, beside] = [samples[limitOf(name)], samples[besideOf(name)]];
  return {
    coldStart: rounded(median(coldStart), 0),
    memory: takesAll(name) ? rounded(median(memory) / 1e6, 0) : null,
    cases: Object.fromEntries(
      Object.entries(cases).map(([caseName, rounds]) => [
        caseName,
        caseResult(rounds, limit.cases[caseName], beside?.cases[caseName]),
      ]),
    ),
    rates: Object.fromEntries(Object.entries(rates).map(([rate, rounds]) => [rate, quantiles(rounds)])),
  };
}

/** What a run found, as it is kept: CPU in microseconds a request, times in milliseconds, memory in MB. */
export function resultsOf({ samples, databaseVersion }, options) {
  const { records, rounds, seconds, turns, warmup, connections } = options;
  return {
    measured: new Date().toISOString().slice(0, 10),
    tree,
    machine: {
      processor: cpus()[0].model.trim(),
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release()}`,
    },
    versions: {
      node: process.versions.node,
      postgresql: databaseVersion,
      ...Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
    },
    options: { records, rounds, seconds, turns, warmup, connections },
    applications: Object.fromEntries(
      Object.keys(applications)
        .filter((name) => name in samples)
        .map((name) => [name, applicationResult(name, samples)]),
    ),
  };
}
