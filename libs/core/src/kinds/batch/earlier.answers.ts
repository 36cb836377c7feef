import type { PartSuccess } from '../../endpoint/dispatch.js';
import { BadRequest } from '../../wire/refusals.js';
import type { Operation, Reference } from './operation.js';

/** Answers of the operations that ran, in which those after them find values. */
export class EarlierAnswers {
  readonly all: PartSuccess[] = [];
  /** The data of the answers that somebody has asked for, parsed. */
  readonly #data = new Map<number, unknown>();

  /** @param placeOf the place of an operation in messages */
  constructor(private readonly placeOf: (index: number) => string) {}

  /** The path of an operation. @throws BadRequest for values that cannot stand in one */
  pathOf({ at, path }: Operation): string {
    const textOf = (part: Reference): string => encoded(at.path, part, this.#valueOf(at.path, part));
    return path.map((part) => (typeof part === 'string' ? part : textOf(part))).join('');
  }

  /** The JSON text of the body of an operation; undefined for none. */
  bodyOf({ at, body, with: references }: Operation): string | undefined {
    if (references.size === 0) return body === undefined ? undefined : JSON.stringify(body);
    const merged = new Map(Object.entries(Object(body ?? {}) as object));
    for (const [member, reference] of references)
      merged.set(member, this.#valueOf(`${at.with}.${member}`, reference));
    return JSON.stringify(Object.fromEntries(merged));
  }

  #valueOf(place: string, { text, of, steps }: Reference): unknown {
    let value = this.#dataOf(of);
    for (const step of steps) {
      if (!hasMember(value, step))
        throw new BadRequest(`${place}: '${text}' is not in the answer of ${this.placeOf(of)}`);
      value = Reflect.get(value, step) as unknown;
    }
    return value;
  }

  #dataOf(index: number): unknown {
    if (!this.#data.has(index)) this.#data.set(index, JSON.parse(this.all[index]?.data ?? 'null'));
    return this.#data.get(index);
  }
}

/** True for an own member of an object, or a position of a list. */
function hasMember(value: unknown, step: string): value is object {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
  return !Array.isArray(value) || step !== 'length';
}

function encoded(place: string, { text }: Reference, value: unknown): string {
  const isText = typeof value === 'string' && value.isWellFormed();
  if (isText || typeof value === 'number' || typeof value === 'boolean')
    return encodeURIComponent(String(value));
  throw new BadRequest(`${place}: '${text}' must be a text, a number or a boolean to stand in a path`);
}
