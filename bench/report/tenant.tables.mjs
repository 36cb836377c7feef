import { cases } from '../load/cases.mjs';
import { median } from './median.mjs';
import { markdownTable } from './tables.mjs';
import { tenantRatio } from './tenant.ratio.mjs';

const titles = {
  open: 'ours, open',
  tenant: 'ours, tenant',
  policies: 'ours, policies',
  limit: 'LIMIT, open',
  limitTenant: 'LIMIT, tenant',
};

/** Who is compared with whom. A tenant is compared with LIMIT's tenant, which has the same conditions. */
const pairs = [
  { of: 'tenant', beside: 'open' },
  { of: 'policies', beside: 'open' },
  { of: 'limitTenant', beside: 'limit' },
  { of: 'open', beside: 'limit' },
  { of: 'tenant', beside: 'limitTenant' },
  { of: 'policies', beside: 'limitTenant' },
];

const heading = (caseNames) => ['', ...caseNames.map((name) => cases[name].title)];

export const tenantCpuTable = (found, caseNames) =>
  markdownTable([
    heading(caseNames),
    ...Object.entries(found).map(([name, figures]) => [
      titles[name],
      ...caseNames.map((one) => median(figures[one].map(({ cpu }) => cpu)).toFixed(0)),
    ]),
  ]);

export const tenantRatioTable = (found, caseNames) =>
  markdownTable([
    heading(caseNames),
    ...pairs.map((pair) => [
      `${titles[pair.of]} / ${titles[pair.beside]}`,
      ...caseNames.map((one) => tenantRatio(found, pair, one).toFixed(2)),
    ]),
  ]);
