import { readFileSync } from 'node:fs';
import { cpus, totalmem, type, release } from 'node:os';
import { applications, limitOf } from '../applications/list.mjs';
import { median } from './median.mjs';

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

const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

const rounded = (value, digits) => (value === null ? null : Number(value.toFixed(digits)));

/** Medians over the rounds; a ratio is made of the figures of one round, which had the same machine. */
function caseResult(rounds, limits) {
  const middle = (key, digits) =>
    rounds[0][key] === null ? null : rounded(median(rounds.map((figures) => figures[key])), digits);
  return {
    ratio: rounded(median(rounds.map(({ cpu }, round) => limits[round].cpu / cpu)), 3),
    cpu: middle('cpu', 1),
    databaseCpu: middle('databaseCpu', 0),
    perSecond: middle('perSecond', 0),
    p50: middle('p50', 2),
    p99: middle('p99', 2),
  };
}

function applicationResult({ coldStart, memory, cases }, limit) {
  return {
    coldStart: rounded(median(coldStart), 0),
    memory: rounded(median(memory) / 1e6, 0),
    cases: Object.fromEntries(
      Object.entries(cases).map(([name, rounds]) => [name, caseResult(rounds, limit.cases[name])]),
    ),
  };
}

/** What a run found, as it is kept: CPU in microseconds a request, times in milliseconds, memory in MB. */
export function resultsOf({ samples, postgresVersion }, options) {
  const { records, rounds, seconds, turns, warmup, connections } = options;
  return {
    measured: new Date().toISOString().slice(0, 10),
    machine: {
      processor: cpus()[0].model.trim(),
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release()}`,
    },
    versions: {
      node: process.versions.node,
      postgresql: postgresVersion,
      ...Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
    },
    options: { records, rounds, seconds, turns, warmup, connections },
    applications: Object.fromEntries(
      Object.keys(applications)
        .filter((name) => name in samples)
        .map((name) => [name, applicationResult(samples[name], samples[limitOf(name)])]),
    ),
  };
}
