// `npm run bench:tenants`: what tenants cost. The same endpoints open, with a rule for the records of a tenant, and with
// policies of the database; LIMIT beside them. `-- --short` takes a third of the time.
import { parseArgs } from 'node:util';
import { cases } from './load/cases.mjs';
import { tenantCpuTable, tenantRatioTable } from './report/tenant.tables.mjs';
import { missedTenantTargets } from './report/tenant.targets.mjs';
import { measureRounds } from './runs/rounds.mjs';
import { prepareTenantToken } from './runs/tenant.token.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    cases: { type: 'string', default: 'get,list1k,create,update,delete' },
    platform: { type: 'string', default: 'fastify' },
    records: { type: 'string', default: '10000' },
    short: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const { platform } = values;
const extent = values.short ? { rounds: 3, seconds: 1, turns: 4 } : { rounds: 5, seconds: 2, turns: 6 };

prepareTenantToken();

/** What is compared, by what the tables call it. */
const compared = {
  open: `ours-${platform}`,
  tenant: `ours-${platform}-tenant`,
  policies: `ours-${platform}-rls`,
  limit: 'limit',
  limitTenant: 'limit-tenant',
};
const options = {
  ...extent,
  ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
  records: Number(values.records),
  warmup: 0.5,
  connections: 64,
  applications: Object.values(compared),
  cases: Object.keys(cases).filter((name) => values.cases.split(',').includes(name)),
  // A case that is not measured may show a record of others, too.
  checked: Object.keys(cases),
};
const { samples } = await measureRounds(options, { onProgress: () => undefined });
const found = Object.fromEntries(
  Object.entries(compared).map(([name, application]) => [name, samples[application].cases]),
);

console.log(`${platform}, medians of ${options.rounds} rounds\n`);
console.log(`CPU of the server, µs per request\n\n${tenantCpuTable(found, options.cases)}\n`);
console.log(`CPU of the second / CPU of the first\n\n${tenantRatioTable(found, options.cases)}\n`);
const missed = missedTenantTargets(found, options.cases);
console.log(missed.join('\n') || 'Every target is reached.');
if (values.strict && missed.length > 0) process.exitCode = 1;
