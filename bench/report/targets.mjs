import { applications, limitOf } from '../applications/list.mjs';
import { cases, withoutDatabase } from '../load/cases.mjs';

/** How much of LIMIT's capacity the open endpoints are to have, on Express and on Fastify. */
const open = {
  ...{ get: 1.6, unique: 1.2, missing: 1.4, invalid: 0.5 },
  ...{ create: 0.9, update: 0.9, delete: 0.9 },
  ...{ list1k: 0.95, list: 0.95, keyset: 0.9, search: 0.9 },
};

/** Where something of the user's must see every request. */
const platformsRoad = { get: 1, create: 0.8 };

/** Of the capacity of the open endpoints, what a tenant leaves. */
const tenant = { get: 0.9, list1k: 0.95, list: 0.95, create: 0.85, update: 0.85, delete: 0.85 };

/** Of that of direct writes, what functions around them leave: twice the CPU. */
const hooks = { create: 0.5, update: 0.5, delete: 0.5 };

const ofLimit = {
  'ours-express': open,
  'ours-fastify': open,
  'ours-express-platform': platformsRoad,
  'ours-fastify-platform': platformsRoad,
};

const ofOther = {
  'ours-express-tenant': tenant,
  'ours-fastify-tenant': tenant,
  'ours-express-hooks': hooks,
  'ours-fastify-hooks': hooks,
};

const real = ['ours-express-tenant', 'ours-fastify-tenant'];
const ours = [...real, 'ours-express', 'ours-fastify'];

/** The most of it that PostgreSQL may take for a get, as a part of what LIMIT's takes. */
const databaseShare = 0.5;
/** MB after the load of a round. */
const memory = 220;
/** The rate at which nobody is busy, and the milliseconds that the 99th percentile may be above LIMIT's there. */
const calm = { rate: 500, above: 1 };

/** Beside what one would use instead on the same platform, and the frameworks: how many times their capacity. */
const byHand = {
  'ours-express-tenant': 'nest-by-hand-express-tenant',
  'ours-fastify-tenant': 'nest-by-hand-fastify-tenant',
};
const timesByHand = 4;
const frameworks = ['dataui-crud-tenant', 'nestjs-paginate-tenant', 'feathers-tenant'];
const timesFrameworks = 2;

const least = (what, found, wanted, unit) => ({
  text: `${what}: ${found.toFixed(2)} ${unit}, ${wanted} is wanted`,
  isMet: found >= wanted,
});

const most = (what, found, wanted, unit) => ({
  text: `${what}: ${found.toFixed(1)} ${unit}, ${wanted.toFixed(1)} at most is wanted`,
  isMet: found <= wanted,
});

const title = (name, caseName) => `${applications[name].title}, ${cases[caseName].title}`;

function* sharesOf(measured, wanted, key, unit) {
  for (const [name, shares] of Object.entries(wanted))
    for (const [caseName, share] of Object.entries(shares)) {
      const found = measured[name]?.cases[caseName]?.[key];
      if (typeof found === 'number') yield least(title(name, caseName), found, share, unit);
    }
}

/** By ratios: each is to the LIMIT of its own run. */
function* peersOf(measured) {
  for (const name of real)
    for (const [caseName, { ratio }] of Object.entries(measured[name]?.cases ?? {})) {
      if (withoutDatabase.has(caseName)) continue;
      const ratioOf = (other) => measured[other]?.cases[caseName]?.ratio;
      const hand = ratioOf(byHand[name]);
      if (hand !== undefined)
        yield least(title(name, caseName), ratio / hand, timesByHand, 'times as good as by hand');
      const others = frameworks.map(ratioOf).filter((one) => one !== undefined);
      const best = ratio / Math.max(...others);
      if (others.length > 0)
        yield least(title(name, caseName), best, timesFrameworks, 'times as good as the best framework');
    }
}

function* processesOf(measured) {
  for (const name of ours) {
    const own = measured[name];
    if (own === undefined) continue;
    const limit = measured[limitOf(name)];
    yield most(`${applications[name].title}, memory after load`, own.memory, memory, 'MB');
    const [database, limits] = [own.cases.get?.databaseCpu, limit.cases.get?.databaseCpu];
    if (typeof database === 'number')
      yield most(`${title(name, 'get')}, CPU of PostgreSQL`, database, limits * databaseShare, 'µs');
    const [p99, limitP99] = [own.rates[calm.rate]?.p99, limit.rates[calm.rate]?.p99];
    if (p99 !== undefined)
      yield most(`${title(name, 'get')}, p99 at ${calm.rate}/s`, p99, limitP99 + calm.above, 'ms');
  }
}

/** Every target that results say something about: a sentence, and whether it is met. */
const judged = ({ applications: measured }) => [
  ...sharesOf(measured, ofLimit, 'ratio', 'of LIMIT'),
  ...sharesOf(measured, ofOther, 'beside', 'of the same without'),
  ...processesOf(measured),
  ...peersOf(measured),
];

/** The targets that are missed, and how many there are, as a page says it. */
export function targetText(results) {
  const all = judged(results);
  const missed = all.filter(({ isMet }) => !isMet);
  const head = `${all.length - missed.length} of ${all.length} targets are reached.`;
  return missed.length === 0
    ? head
    : `${head} Missed:\n\n${missed.map(({ text }) => `- ${text}`).join('\n')}`;
}
