import { BadRequest } from '../../wire/refusals.js';
import type { NameTable } from '../../wire/name.table.js';
import type { Operation, Reference } from './operation.js';
import { headersOf, methodOf, objectOf, targetOf } from './operation.shape.js';

const members = ['method', 'path', 'headers', 'body', 'as', 'with'] as const;

type Member = (typeof members)[number];

/** A name of an operation. */
const namePattern = /^[A-Za-z]\w{0,63}$/;

/** A reference between braces in a path. */
const braced = /\{([^{}]*)\}/;

/** Reads the operations of a batch out of its body. Everything that can be wrong with them is found before the first runs. */
export class OperationList {
  readonly #operations: string;
  readonly #words: ReadonlyMap<string, Member>;
  readonly #allowed: string;

  constructor(
    private readonly names: NameTable,
    private readonly most: number,
  ) {
    this.#operations = names.control('operations');
    this.#words = new Map(members.flatMap((word) => [word, names.control(word)].map((name) => [name, word])));
    this.#allowed = members.map((word) => names.control(word)).join(', ');
  }

  /** The place of an operation in messages. */
  placeOf(index: number): string {
    return `${this.#operations}.${index}`;
  }

  /** @throws BadRequest with a sentence that begins with the place */
  read(body: ReadonlyMap<string, unknown>): readonly Operation[] {
    const sent = this.#entries(body);
    const named = new Map<string, number>();
    return sent.map((one, index) => this.#operation(one, index, named));
  }

  #entries(body: ReadonlyMap<string, unknown>): readonly unknown[] {
    const name = this.#operations;
    const isKnown = (key: string): boolean => key === 'operations' || key === name;
    const unknown = [...body.keys()].find((key) => !isKnown(key));
    if (unknown !== undefined) throw new BadRequest(`Unknown parameter '${unknown}' in the body`);
    const sent = body.get(name) ?? body.get('operations');
    if (!Array.isArray(sent)) throw new BadRequest(`'${name}' must be a list of operations`);
    if (sent.length === 0) throw new BadRequest(`'${name}' must have at least one entry`);
    if (sent.length > this.most)
      throw new BadRequest(`'${name}' must not have more than ${this.most} entries`);
    return sent as readonly unknown[];
  }

  /** @param named the positions of the operations before it that have a name */
  #operation(sent: unknown, index: number, named: Map<string, number>): Operation {
    const place = this.placeOf(index);
    const given = this.#members(place, sent);
    const at = (word: Member): string => `${place}.${this.names.control(word)}`;
    const method = methodOf(at('method'), given.get('method'));
    const path = pathOf(at('path'), given.get('path'), named);
    const headers = headersOf(at('headers'), given.get('headers'), method);
    const references = referencesOf(at('with'), given.get('with'), named);
    const body = given.get('body');
    if (references.size > 0 && body !== undefined) objectOf(at('body'), body);
    if (given.has('as')) this.#name(at('as'), given.get('as'), index, named);
    const places = { path: at('path'), body: at('body'), with: at('with') };
    return { place, at: places, method, path, headers, body, with: references };
  }

  #members(place: string, sent: unknown): ReadonlyMap<Member, unknown> {
    const given = new Map<Member, unknown>();
    for (const [name, value] of Object.entries(objectOf(place, sent))) {
      const word = this.#words.get(name);
      if (word === undefined)
        throw new BadRequest(`${place}: '${name}' is unknown; allowed: ${this.#allowed}`);
      if (given.has(word)) throw new BadRequest(`${place}: '${name}' is given more than once`);
      given.set(word, value);
    }
    return given;
  }

  #name(place: string, sent: unknown, index: number, named: Map<string, number>): void {
    if (typeof sent !== 'string' || !namePattern.test(sent))
      throw new BadRequest(`${place} must be a letter and then up to 63 letters, digits and _`);
    const other = named.get(sent);
    if (other !== undefined)
      throw new BadRequest(`${place}: '${sent}' is the name of ${this.placeOf(other)} already`);
    named.set(sent, index);
  }
}

/** Parts a path into texts and references. */
function pathOf(
  place: string,
  sent: unknown,
  named: ReadonlyMap<string, number>,
): readonly (string | Reference)[] {
  const parts = targetOf(place, sent).split(braced);
  return parts.map((part, index) => {
    if (index % 2 === 1) return referenceOf(place, part, named);
    if (!/[{}]/.test(part)) return part;
    throw new BadRequest(
      `${place}: a brace must be part of a reference such as {trip.id}, or percent-encoded`,
    );
  });
}

function referencesOf(
  place: string,
  sent: unknown,
  named: ReadonlyMap<string, number>,
): ReadonlyMap<string, Reference> {
  const given = sent === undefined ? {} : objectOf(place, sent);
  return new Map(
    Object.entries(given).map(([member, text]) => {
      const at = `${place}.${member}`;
      if (typeof text !== 'string') throw new BadRequest(`${at} must be a text such as trip.id`);
      return [member, referenceOf(at, text, named)];
    }),
  );
}

function referenceOf(place: string, text: string, named: ReadonlyMap<string, number>): Reference {
  const [name = '', ...steps] = text.split('.');
  const of = named.get(name);
  if (of === undefined) throw new BadRequest(`${place}: '${name}' is not the name of an earlier operation`);
  if (steps.length === 0 || steps.includes(''))
    throw new BadRequest(`${place}: '${text}' must name a column, such as ${name}.id`);
  return { text, of, steps };
}
