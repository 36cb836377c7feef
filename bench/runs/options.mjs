import { parseArgs } from 'node:util';
import { applications, limitOf } from '../applications/list.mjs';
import { cases } from '../load/cases.mjs';

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
  json: { type: 'string', help: 'writes the figures there' },
  svg: { type: 'string', help: 'writes the chart there' },
  write: {
    type: 'boolean',
    default: true,
    help: 'a whole run also renews bench/results, docs and README; --no-write leaves them alone',
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

/** Everybody is compared with a limit: that of the open applications, or that of the ones with a tenant. */
const withLimits = (text) =>
  [
    'limit',
    ...text.split(',').flatMap((name) => (name in applications ? [limitOf(name), name] : name)),
  ].join();

export const help = () =>
  Object.entries(parameters)
    .map(([name, { default: value, help }]) => {
      const shown = typeof value === 'string' ? ` (${value})` : '';
      return `  --${name.padEnd(14)} ${help}${shown}`;
    })
    .join('\n');

/** @throws on an unknown option, and on a value that cannot be meant */
export function readOptions(args) {
  const { values } = parseArgs({ args, options: parameters, allowNegative: true });
  const numbers = ['records', 'rounds', 'seconds', 'turns', 'warmup', 'connections'];
  return {
    ...values,
    ...Object.fromEntries(numbers.map((name) => [name, number(name, values[name])])),
    applications: known('applications', withLimits(values.applications), applications),
    cases: known('cases', values.cases, cases),
  };
}

/** Whether everything is compared with everything: only that is worth a page in docs. */
export const isWhole = (options) =>
  options.applications.length === Object.keys(applications).length &&
  options.cases.length === Object.keys(cases).length;
