import { isRounded } from '../../model/values/rounded.number.js';
import { types } from 'node:util';

/** Limits of an identity: deeper, or with more values, it is refused. */
const maxDepth = 16;
const maxValues = 10_000;

/**
 * Writes an identity as text. Two identities have the same text only when they say the same, in any order of members.
 * Dates, big integers, maps, sets and instances of classes have a spelling of their own; a member without a value counts
 * as none. What may differ unseen has no text: functions, symbols, getters of a class,
 * instances that show nothing, whole numbers beyond 2^53.
 *
 * @param skipped names of members of the identity itself that say nothing of it
 * @returns undefined when identities cannot be told apart by what they show
 */
export function identityText(identity: unknown, skipped: ReadonlySet<string>): string | undefined {
  return new Spelling(skipped).of(identity, 0);
}

class Spelling {
  #left = maxValues;

  constructor(private readonly skipped: ReadonlySet<string>) {}

  of(value: unknown, depth: number): string | undefined {
    this.#left -= 1;
    if (this.#left < 0 || depth > maxDepth) return undefined;
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (isRounded(value)) return undefined;
    if (typeof value !== 'object' || value === null) return String(value);
    if (Array.isArray(value)) return this.#list('[', value, ']', depth);
    if (types.isDate(value)) return `Date(${value.getTime()})`;
    if (types.isMap(value)) return this.#sorted('Map', [...value], depth);
    if (types.isSet(value)) return this.#sorted('Set', [...value], depth);
    return this.#object(value, depth);
  }

  #object(value: object, depth: number): string | undefined {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const said = depth === 0 ? members.filter(([name]) => !this.skipped.has(name)) : members;
    const classes = classesOf(value);
    const [first] = classes;
    if (said.length === 0 && (members.length > 0 || first !== undefined)) return undefined;
    if (classes.some((one) => hidesSomething(one, value))) return undefined;
    const texts: string[] = [];
    for (const [name, member] of said.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const text = this.of(member, depth + 1);
      if (text === undefined) return undefined;
      texts.push(`${JSON.stringify(name)}:${text}`);
    }
    return `${first === undefined ? '' : nameOf(first)}{${texts.join(',')}}`;
  }

  #sorted(name: string, values: readonly unknown[], depth: number): string | undefined {
    const texts = this.#texts(values, depth);
    return texts && `${name}(${texts.sort().join(',')})`;
  }

  #list(open: string, values: readonly unknown[], close: string, depth: number): string | undefined {
    const texts = this.#texts(values, depth);
    return texts && open + texts.join(',') + close;
  }

  #texts(values: readonly unknown[], depth: number): string[] | undefined {
    const texts: string[] = [];
    for (const value of values) {
      const text = this.of(value, depth + 1);
      if (text === undefined) return undefined;
      texts.push(text);
    }
    return texts;
  }
}

/** The prototypes of an object, without the one that every object has: none for a plain object. */
function classesOf(value: object): readonly object[] {
  const prototypes: object[] = [];
  for (let one = parentOf(value); one !== null && parentOf(one) !== null; one = parentOf(one))
    prototypes.push(one);
  return prototypes;
}

function parentOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

/** True if a class gives its instances values that are not members of their own. */
function hidesSomething(prototype: object, value: object): boolean {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).some(([name, described]) => {
    if (Object.hasOwn(value, name)) return false;
    if (typeof described.get === 'function') return true;
    const shared: unknown = described.value;
    return described.enumerable === true && shared !== undefined && typeof shared !== 'function';
  });
}

function nameOf(prototype: object): string {
  const { constructor: made } = prototype;
  return typeof made === 'function' ? made.name : '';
}
