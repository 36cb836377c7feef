import { either, objectWith, oneOfTexts } from '../options/checks.js';
import type { ChecksOf, OptionCheck } from '../options/option.check.js';
import { authentication } from './authentication.check.js';
import { authorization } from './authorization.check.js';
import type { AccessSides, Operation } from './operation.access.js';

const sides = { authentication, authorization } as const satisfies ChecksOf<AccessSides>;

const operationAccess = either(
  "'public', an authentication, an authorization, or { authentication, authorization }",
  oneOfTexts('public'),
  authentication,
  authorization,
  objectWith(sides),
);

/** Makes the check of `access`. @param operations those that it may name */
export function accessCheck(operations: readonly Operation[]): OptionCheck {
  return objectWith(Object.fromEntries(operations.map((name) => [name, operationAccess])));
}
