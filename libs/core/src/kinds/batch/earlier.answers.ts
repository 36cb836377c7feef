import { maxHeaderSize } from 'node:http';
import type { PartSuccess } from '../../endpoint/dispatch.js';
import { jsonAsRead } from '../../wire/json.text.js';
import { BadRequest, ContentTooLarge } from '../../wire/refusals.js';
import type { Operation, Reference } from './operation.js';
import { OperationRefusal } from './operation.refusal.js';

/** Answers of the operations that ran, in which those after them find values. */
export class EarlierAnswers {
  readonly all: PartSuccess[] = [];
  /** The data of the answers that somebody has asked for, parsed. */
  readonly #data = new Map<number, unknown>();

  /** The JSON texts of values that operations refer to. One may stand in a body many times. */
  readonly #texts = new Map<string, string>();

  /**
   * @param placeOf the place of an operation in messages
   * @param bodyLimit the largest body, in bytes
   */
  constructor(
    private readonly placeOf: (index: number) => string,
    private readonly bodyLimit: number,
  ) {}

  /** The path of an operation. @throws BadRequest for values that cannot stand in one */
  pathOf({ at, path }: Operation): string {
    let left = maxHeaderSize;
    const textOf = (part: Reference): string => {
      const text = encoded(at.path, part, this.#valueOf(at.path, part), left);
      left -= text.length;
      return text;
    };
    return path.map((part) => (typeof part === 'string' ? part : textOf(part))).join('');
  }

  /** The JSON text of the body of an operation; undefined for none. @throws OperationRefusal for one that is too large */
  bodyOf({ place, at, body, with: references }: Operation): string | undefined {
    if (references.size === 0) return body === undefined ? undefined : jsonAsRead(body);
    const own = Object.entries(Object(body ?? {}) as object);
    const merged = new Map(own.map(([member, value]) => [member, jsonAsRead(value)]));
    for (const [member, reference] of references)
      merged.set(member, this.#textOf(`${at.with}.${member}`, reference));
    // Few bytes of a batch refer to a large value many times: the text is made once it is known to be small enough.
    let left = this.bodyLimit - 1;
    const members: string[] = [];
    for (const [member, text] of merged) {
      const name = JSON.stringify(member);
      left -= Buffer.byteLength(name) + Buffer.byteLength(text) + 2;
      if (left < 0) throw OperationRefusal.of(place, new ContentTooLarge(this.bodyLimit));
      members.push(`${name}:${text}`);
    }
    return `{${members.join(',')}}`;
  }

  #textOf(place: string, reference: Reference): string {
    const { text: name } = reference;
    const known = this.#texts.get(name);
    if (known !== undefined) return known;
    const text = JSON.stringify(this.#valueOf(place, reference));
    this.#texts.set(name, text);
    return text;
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

/** @param most the most characters */
function encoded(place: string, { text }: Reference, value: unknown, most: number): string {
  const isText = typeof value === 'string' && value.isWellFormed();
  if (isText || typeof value === 'number' || typeof value === 'boolean') {
    const plain = String(value);
    const given = plain.length > most ? undefined : encodeURIComponent(plain);
    if (given !== undefined && given.length <= most) return given;
    const sentence = `values of earlier answers must not be longer than ${maxHeaderSize} characters`;
    throw new BadRequest(`${place}: ${sentence}`);
  }
  throw new BadRequest(`${place}: '${text}' must be a text, a number or a boolean to stand in a path`);
}
