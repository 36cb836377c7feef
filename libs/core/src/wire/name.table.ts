import { recase, type Casing } from './casing.js';
import { ConfigurationError } from './configuration.error.js';

/**
 * Internal names and relation paths with the names clients use for them. Made once per endpoint; incoming names are
 * looked up, never computed back, so only external names are accepted.
 */
export class NameTable {
  /** The names that clients use where casing alone does not tell: of columns, and of what {@link joined} makes of them. */
  readonly #given: Map<string, string>;
  #within: NameTable | undefined;

  /** @param given the names that clients use for columns of the endpoint's own model, by their internal names */
  constructor(
    readonly internal: Casing,
    readonly external: Casing,
    given: Readonly<Record<string, string>> = {},
  ) {
    this.#given = new Map(Object.entries(given));
  }

  /** True if somebody has given columns names of their own. */
  get isGiven(): boolean {
    return this.#given.size > 0;
  }

  /** The table for the members of a nested object, which is another model's: nobody has given them names. */
  get within(): NameTable {
    if (this.#given.size === 0) return this;
    return (this.#within ??= new NameTable(this.internal, this.external));
  }

  /** The external form of a name or path; every part of a path is cased for itself. The first one may have a name of its own. */
  outward(name: string): string {
    return name
      .split('.')
      .map((part, index) => {
        const given = index === 0 ? this.#given.get(part) : undefined;
        return given ?? recase(part, this.internal, this.external);
      })
      .join('.');
  }

  /** A control word of the contract (`sort`, `limit`, …), which is written in snake_case there. */
  control(word: string): string {
    return recase(word, 'snake_case', this.external);
  }

  /** The internal name of a column with a word of the contract behind it: `startsOnMonth`. */
  joined(name: string, word: string): string {
    const made = joinedIn(this.internal, name, word);
    const given = this.#given.get(name);
    if (given !== undefined) this.#given.set(made, joinedIn(this.external, given, word));
    return made;
  }

  /** The internal name of a value that a word of the contract says. */
  inward(word: string): string {
    return recase(word, 'snake_case', this.internal);
  }

  /** External name → value. @throws ConfigurationError when two names become one */
  index<T extends { readonly name: string }>(
    owner: string,
    option: string,
    entries: Iterable<T>,
  ): Map<string, T> {
    const table = new Map<string, T>();
    for (const entry of entries) {
      const name = this.outward(entry.name);
      const other = table.get(name);
      if (other !== undefined && other.name !== entry.name)
        throw new ConfigurationError(
          owner,
          option,
          `'${other.name}' and '${entry.name}' are both '${name}' on the wire`,
        );
      table.set(name, entry);
    }
    return table;
  }
}

function joinedIn(casing: Casing, name: string, word: string): string {
  return casing === 'snake_case' ? `${name}_${word}` : `${name}${recase(word, 'snake_case', 'TitleCase')}`;
}
