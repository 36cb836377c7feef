import { cases } from '../load/cases.mjs';
import { tenantRatio } from './tenant.ratio.mjs';

const writes = (wanted) => ({ create: wanted, update: wanted, delete: wanted });

/** How much of the open endpoints' capacity is to be left, by case. */
const targets = {
  tenant: { get: 0.9, list1k: 0.95, list: 0.95, ...writes(0.85) },
  policies: { get: 0.75, list1k: 0.9, list: 0.9, ...writes(0.7) },
};

const titles = { tenant: 'Tenant', policies: 'Policies' };

/** A sentence for every target that these figures miss. */
export const missedTenantTargets = (found, caseNames) =>
  Object.entries(targets).flatMap(([of, wanted]) =>
    caseNames
      .filter((one) => one in wanted)
      .map((one) => ({ one, ratio: tenantRatio(found, { of, beside: 'open' }, one), least: wanted[one] }))
      .filter(({ ratio, least }) => ratio < least)
      .map(
        ({ one, ratio, least }) =>
          `${titles[of]}, ${cases[one].title}: ${ratio.toFixed(2)} of open, ${least} is wanted: ` +
          `${((1 - ratio / least) * 100).toFixed(0)} % are missing`,
      ),
  );
