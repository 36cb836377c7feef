import { ConfigurationError } from '../wire/configuration.error.js';

/** How many items a list may have. */
export interface ItemOptions {
  /** The most items of a list that a client sends; 0 lifts the limit. */
  readonly maximumItems?: number;
}

/** The most items of a list, checked. */
export class ItemLimit {
  readonly #most: number;

  /** @throws ConfigurationError for a number that is not whole, or below 0 */
  constructor(owner: string, { maximumItems }: ItemOptions, customary: number) {
    this.#most = maximumItems ?? customary;
    if (!Number.isSafeInteger(this.#most) || this.#most < 0)
      throw new ConfigurationError(owner, 'maximumItems', `${this.#most} is not a whole number from 0`);
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
