import { types } from 'node:util';
import { ConfigurationError } from '../wire/configuration.error.js';
import { didYouMean, nearestName } from './nearest.name.js';
import type { OptionChecks } from './option.check.js';
import { shown } from './shown.value.js';

/** The rules for options. */
export interface OptionRules {
  readonly checks: OptionChecks;
  /** True if options may be present that nobody declared. Even then a name that is nearly a declared one is refused. */
  readonly isOpen?: boolean;
}

/**
 * Checks options against the table of their kind. Wrong options that TypeScript would refuse come from JavaScript, from
 * the environment, and from files that import each other.
 *
 * @throws ConfigurationError for an option that is unknown, and for a value that is not allowed
 */
export function checkOptions(owner: string, options: unknown, { checks, isOpen = false }: OptionRules): void {
  if (!isObject(options))
    throw new ConfigurationError(owner, 'options', `${shown(options)} is not allowed; allowed: an object`);
  const names = Object.keys(checks);
  for (const [option, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, option) ? checks[option] : undefined;
    if (check === undefined) {
      if (isOpen && nearestName(option, names) === undefined) continue;
      const problem = `is no option here${didYouMean(option, names)}; allowed: ${names.join(', ')}`;
      throw new ConfigurationError(owner, option, problem);
    }
    const problem = value === undefined ? undefined : check.complaint(value);
    if (problem !== undefined) throw new ConfigurationError(owner, option, problem);
  }
}

/** Options may be made by a class, as those of a configuration service are. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !types.isPromise(value);
}
