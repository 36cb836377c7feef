import { listOf, objectThat } from '../../options/checks.js';
import type { OptionCheck } from '../../options/option.check.js';

const limits = listOf(
  'limits',
  objectThat('a limit, e.g. new RateLimit({ quota: 100, window: 60 })', 'take'),
);

/** The check of `limits`. */
export const limitsCheck: OptionCheck = {
  allowed: `'none', or ${limits.allowed}`,
  complaint: (value) => (value === 'none' ? undefined : limits.complaint(value)),
};
