import { parseArgs } from 'node:util';
import { applications, besideOf, limitOf } from '../applications/list.mjs';
import { cases } from '../load/cases.mjs';

/** The applications that show whether targets are reached: ours on both platforms, and their limits. */
const short = {
  applications: Object.keys(applications)
    .filter((name) => name.startsWith('ours') || name.startsWith('limit'))
    .join(),
  cases: 'get,unique,missing,invalid,create,update,delete,list1k,list,keyset,search',
  rounds: '3',
  seconds: '0.6',
  turns: '2',
};

/** What can be said on the command line; every default is that of the figures in the repository. */
const parameters = {
  records: {
    type: 'string',
    default: '100000',
    help: 'users to fill; for 2000000 name a few cases, counts and deep offsets are slow there',
  },
  rounds: { type: 'string', default: '3', help: 'how often everything is measured; figures are medians' },
  seconds: {
    type: 'string',
    default: '1',
    help: 'how long one case of one application is measured in a round',
  },
  turns: { type: 'string', default: '3', help: 'in how many turns with the others' },
  warmup: { type: 'string', default: '0.3', help: 'seconds before that, not counted' },
  connections: {
    type: 'string',
    default: '64',
    help: 'keep-alive connections, one request at a time on each',
  },
  applications: { type: 'string', default: Object.keys(applications).join(), help: 'which, by name' },
  cases: { type: 'string', default: Object.keys(cases).join(), help: 'which, by name' },
  rates: {
    type: 'string',
    default: '500,2000,5000',
    help: 'requests a second whose latency is measured; none: --rates ""',
  },
  short: {
    type: 'boolean',
    default: false,
    help: 'our rows and their limits alone, the cases that have targets, shorter turns',
  },
  json: { type: 'string', help: 'writes the figures there' },
  svg: { type: 'string', help: 'writes the chart there' },
  write: {
    type: 'boolean',
    help: 'renews what was measured in bench/results, docs and README; a whole run does so but for --no-write',
  },
  report: {
    type: 'boolean',
    default: false,
    help: 'renews docs and README from bench/results, measures nothing',
  },
  help: { type: 'boolean', default: false, help: 'shows this' },
};

const number = (name, text) => {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`--${name} must be a number above 0, not '${text}'`);
  return value;
};

const known = (name, text, all) => {
  const names = text.split(',');
  for (const one of names)
    if (!(one in all))
      throw new RangeError(`--${name}: '${one}' is unknown; there are ${Object.keys(all).join(', ')}`);
  return Object.keys(all).filter((one) => names.includes(one));
};

/** Everybody is compared with a limit, and some with the application that has everything but what they are about. */
const withLimits = (text) =>
  text
    .split(',')
    .flatMap((name) => (name in applications ? [name, besideOf(name) ?? name] : name))
    .flatMap((name) => (name in applications ? [limitOf(name), name] : name))
    .join();

export const help = () =>
  Object.entries(parameters)
    .map(([name, { default: value, help }]) => {
      const shown = typeof value === 'string' ? ` (${value})` : '';
      return `  --${name.padEnd(14)} ${help}${shown}`;
    })
    .join('\n');

/** What is measured at fixed rates: a get of the real application, and of the open one. */
const rated = [
  'limit-tenant',
  'limit',
  'ours-express',
  'ours-fastify',
  'ours-express-tenant',
  'ours-fastify-tenant',
];

function ratesOf(text, names, { short: isShort }) {
  if (text === '') return undefined;
  return {
    perSecond: text.split(',').map((rate) => number('rates', rate)),
    seconds: isShort ? 2 : 4,
    applications: rated.filter((name) => names.includes(name)),
  };
}

/** Short runs have other defaults; what is said holds in them, too. */
function defaultsOf(args) {
  const { values } = parseArgs({ args, options: parameters, allowNegative: true });
  if (!values.short) return parameters;
  return Object.fromEntries(
    Object.entries(parameters).map(([name, one]) => [
      name,
      name in short ? { ...one, default: short[name] } : one,
    ]),
  );
}

/** @throws on an unknown option, and on a value that cannot be meant */
export function readOptions(args) {
  const { values } = parseArgs({ args, options: defaultsOf(args), allowNegative: true });
  const numbers = ['records', 'rounds', 'seconds', 'turns', 'warmup', 'connections'];
  const names = known('applications', withLimits(values.applications), applications);
  return {
    ...values,
    ...Object.fromEntries(numbers.map((name) => [name, number(name, values[name])])),
    applications: names,
    rates: ratesOf(values.rates, names, values),
    cases: known('cases', values.cases, cases),
  };
}

/** Whether everything is compared with everything: only that is worth a page in docs. */
export const isWhole = (options) =>
  options.applications.length === Object.keys(applications).length &&
  options.cases.length === Object.keys(cases).length &&
  options.rates !== undefined;
