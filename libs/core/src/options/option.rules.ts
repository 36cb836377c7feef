import type { OptionRules } from './checked.options.js';
import type { OptionChecks } from './option.check.js';

/** A class that declares options, beside those of the classes that it extends. */
interface Declaring {
  readonly optionChecks?: OptionChecks;
}

/**
 * The options that a class and those it extends declare. One that declares none itself may have options of its own,
 * which nobody checks.
 */
export function optionRulesOf(kind: object): OptionRules {
  const tables: OptionChecks[] = [];
  for (let owner: unknown = kind; typeof owner === 'function'; owner = Object.getPrototypeOf(owner))
    if (Object.hasOwn(owner, 'optionChecks')) tables.unshift((owner as Declaring).optionChecks ?? {});
  const checks = Object.assign({}, ...tables) as OptionChecks;
  return { checks, isOpen: !Object.hasOwn(kind, 'optionChecks') };
}
