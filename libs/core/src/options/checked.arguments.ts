import { ConfigurationError } from '../wire/configuration.error.js';
import type { OptionCheck } from './option.check.js';

/**
 * Checks what a constructor or function was given, by the names of its parameters. An undefined one is checked as well:
 * defaults are there before.
 *
 * @throws ConfigurationError for the first that is not allowed
 */
export function checkArguments(
  owner: string,
  values: Readonly<Record<string, readonly [value: unknown, check: OptionCheck]>>,
): void {
  for (const [name, [value, check]] of Object.entries(values)) {
    const problem = check.complaint(value);
    if (problem !== undefined) throw new ConfigurationError(owner, name, problem);
  }
}
