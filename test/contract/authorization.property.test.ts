import fc from 'fast-check';
import { everyDatabase, service } from '../support/contract.js';
import { Label, OfTenant, Project, Task, tenantEndpoints } from './tenants.js';
import { expectNoMixing, twoWorlds } from './tenants.worlds.js';

const numRuns = Number(process.env['RUNS'] ?? 20);
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) };

const { contract } = service(
  {
    entities: [Project, Task, Label],
    root: { internalCasing: 'camelCase' },
    endpoints: tenantEndpoints(new OfTenant()),
  },
  everyDatabase,
);

contract('Records of two tenants never mix, in whatever is asked and refused', async (subject) => {
  await fc.assert(
    fc.asyncProperty(twoWorlds, (worlds) => expectNoMixing(subject, worlds)),
    { numRuns, ...seed },
  );
});
