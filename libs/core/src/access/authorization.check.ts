import { objectThat } from '../options/checks.js';
import type { OptionCheck } from '../options/option.check.js';
import { otherCopy } from '../options/other.copy.js';
import { Authorization } from './authorization.js';

const rule = objectThat(
  'an authorization, e.g. new RequireScopes(…); allOf(…) and anyOf(…) make one of several',
  'gate',
  'filterModel',
  'concerns',
);

/**
 * The check of `authorization`. It refuses a rule of another copy of the package, which would not narrow what this copy
 * does.
 */
export const authorization: OptionCheck = {
  allowed: rule.allowed,
  complaint: (value) =>
    rule.complaint(value) ?? (value instanceof Authorization ? undefined : otherCopy(value, Authorization)),
};
