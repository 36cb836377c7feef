import { isDeepStrictEqual } from 'node:util';

const unnameable = /[^\w.-]/g;

/** Names things so that no two different ones have one name, and the same thing has one name only. */
export class NameRegister<T> {
  readonly entries = new Map<string, T>();
  /** The name that each thing wanted, by the one that it has. */
  readonly wanted = new Map<string, string>();
  /** The names that were given to things which wanted the same one. */
  readonly #given = new Map<string, string[]>();

  /**
   * The name of a thing: the wanted one, else the wanted one with what tells it from others, else with a number.
   * @param hint what tells it from others, e.g. `LargestCities`
   */
  nameOf(thing: T, wanted: string, hint: string): string {
    const given = this.#given.get(wanted) ?? [];
    const known = given.find((name) => isDeepStrictEqual(this.entries.get(name), thing));
    return known ?? this.newName(thing, wanted, hint);
  }

  /** {@link nameOf} for a thing that is not known to be like another. */
  newName(thing: T, wanted: string, hint: string): string {
    const stem = wanted.replace(unnameable, '_');
    const name = this.#freeName(stem, hint.replace(unnameable, '_'));
    this.entries.set(name, thing);
    this.wanted.set(name, stem);
    this.#given.set(wanted, [...(this.#given.get(wanted) ?? []), name]);
    return name;
  }

  #freeName(stem: string, hint: string): string {
    const told = `${stem}${hint}`;
    let name = this.entries.has(stem) ? told : stem;
    for (let count = 2; this.entries.has(name); count += 1) name = `${told}${count}`;
    return name;
  }
}
