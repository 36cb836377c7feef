import { recase, type Casing } from './casing.js';
import { ConfigurationError } from './configuration.error.js';

/**
 * Internal names and relation paths with the names clients use for them. Made once per endpoint; incoming names are
 * looked up, never computed back, so only external names are accepted.
 */
export class NameTable {
  constructor(
    readonly internal: Casing,
    readonly external: Casing,
  ) {}

  /** The external form of a name or path; every part of a path is cased for itself. */
  outward(name: string): string {
    return name
      .split('.')
      .map((part) => recase(part, this.internal, this.external))
      .join('.');
  }

  /** A control word of the contract (`sort`, `limit`, …), which is written in snake_case there. */
  control(word: string): string {
    return recase(word, 'snake_case', this.external);
  }

  /** The internal name of a column with a word of the contract behind it: `startsOnMonth`. */
  joined(name: string, word: string): string {
    if (this.internal === 'snake_case') return `${name}_${word}`;
    return `${name}${recase(word, 'snake_case', 'TitleCase')}`;
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
