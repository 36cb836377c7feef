import { checkOptions, ConfigurationError, type OptionChecks } from '@nest-endpoints/core';

/** Checks options of which some must be there. @throws ConfigurationError */
export function checkRequired(
  owner: string,
  options: object,
  checks: OptionChecks,
  required: readonly string[],
): void {
  checkOptions(owner, options, { checks });
  const missing = required.find((name) => Reflect.get(options, name) === undefined);
  if (missing !== undefined) throw new ConfigurationError(owner, missing, 'is required');
}
