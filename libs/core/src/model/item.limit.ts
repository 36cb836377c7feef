import { checkOptions } from '../options/checked.options.js';
import { wholeNumber } from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';

/** The limit of items in a list. */
export interface ItemOptions {
  /** The most items of a list that a client sends; 0 lifts the limit. */
  readonly maximumItems?: number;
}

const itemChecks = { maximumItems: wholeNumber(0) } as const satisfies ChecksOf<ItemOptions>;

/** The most items of a list, checked. */
export class ItemLimit {
  readonly #most: number;

  /** @throws ConfigurationError for a number that is not whole, or below 0 */
  constructor(owner: string, options: ItemOptions, customary: number) {
    checkOptions(owner, options, { checks: itemChecks });
    this.#most = options.maximumItems ?? customary;
  }

  complaint({ length }: readonly unknown[]): string | undefined {
    return this.#most > 0 && length > this.#most
      ? `value should have at most ${this.#most} items`
      : undefined;
  }

  /** For the schema of what clients may send. */
  get keywords(): { readonly maxItems?: number } {
    return this.#most === 0 ? {} : { maxItems: this.#most };
  }
}
