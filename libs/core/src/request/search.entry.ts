import type { NameTable } from '../wire/name.table.js';
import { BadRequest } from '../wire/refusals.js';
import { directionFrom, type NamedPath } from '../query/list.columns.js';
import type { Direction } from '../query/query.plan.js';
import type { Operator } from '../model/operator.js';

type EntryWord = 'column' | 'operator' | 'value' | 'direction' | 'text' | 'maximum_distance';

/** The members that entries of one sort have. Made once per endpoint. */
export class EntryShape {
  readonly words: ReadonlyMap<string, EntryWord>;
  readonly #spelling: ReadonlyMap<EntryWord, string>;

  /** @param needed members without which an entry is refused, before its value is looked at */
  constructor(
    names: NameTable,
    words: readonly EntryWord[],
    readonly needed: readonly EntryWord[],
  ) {
    this.words = spellings(names, words);
    this.#spelling = new Map(words.map((word) => [word, names.control(word)]));
  }

  /** A member's name in the endpoint's casing. */
  nameOf(word: EntryWord): string {
    return this.#spelling.get(word) ?? word;
  }

  get allNames(): string {
    return [...this.#spelling.values()].join(', ');
  }
}

/** The contract's words and those of the endpoint's casing. */
export function spellings<W extends string>(names: NameTable, words: readonly W[]): Map<string, W> {
  return new Map(words.flatMap((word) => [word, names.control(word)].map((name) => [name, word])));
}

interface Member {
  /** The name as the client wrote it. */
  readonly name: string;
  readonly value: unknown;
}

/** One entry of `sort` or `where` as it came. What is wrong with it is told by its number, in the client's words. */
export class SearchEntry {
  readonly #members = new Map<EntryWord, Member>();

  /** @throws BadRequest for what is no object, and for members that are unknown, missing or given twice */
  constructor(
    private readonly label: string,
    sent: unknown,
    private readonly shape: EntryShape,
  ) {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw new BadRequest(`${label} must be an object with ${shape.allNames}`);
    for (const [name, value] of Object.entries(sent)) {
      const word = shape.words.get(name);
      if (word === undefined) throw this.refusal(`'${name}' is unknown; allowed: ${shape.allNames}`);
      if (this.#members.has(word)) throw this.refusal(`${name} is given more than once`);
      this.#members.set(word, { name, value });
    }
    const missing = shape.needed.find((word) => !this.#members.has(word));
    if (missing !== undefined) throw this.missing(missing);
  }

  get value(): unknown {
    return this.#members.get('value')?.value;
  }

  /** The value of a member; undefined of one that was not given. */
  given(word: EntryWord): unknown {
    return this.#members.get(word)?.value;
  }

  has(word: EntryWord): boolean {
    return this.#members.has(word);
  }

  column(columns: ReadonlyMap<string, NamedPath>): NamedPath['path'] {
    const { name, value } = this.#member('column');
    const column = typeof value === 'string' ? columns.get(value) : undefined;
    if (column !== undefined) return column.path;
    throw this.refusal(`${name} must be one of: ${[...columns.keys()].join(', ')}`);
  }

  direction(): Direction {
    const { name, value } = this.#member('direction');
    const direction = directionFrom(value);
    if (direction !== undefined) return direction;
    throw this.refusal(`${name} must be asc or desc`);
  }

  /** In any letter case, as SQL has it. */
  operator(allowed: readonly Operator[]): Operator {
    const { name, value } = this.#member('operator');
    const word = typeof value === 'string' ? value.toLowerCase() : undefined;
    const operator = allowed.find((known) => known === word);
    if (operator !== undefined) return operator;
    throw this.refusal(`${name} must be one of: ${allowed.join(', ')}`);
  }

  /** A member's name as the client wrote it, or as it is written here. */
  nameOf(word: EntryWord): string {
    return this.#members.get(word)?.name ?? this.shape.nameOf(word);
  }

  missing(word: EntryWord): BadRequest {
    return this.refusal(`${this.nameOf(word)} is missing`);
  }

  refusal(problem: string): BadRequest {
    return new BadRequest(`${this.label}: ${problem}`);
  }

  #member(word: EntryWord): Member {
    const member = this.#members.get(word);
    if (member === undefined) throw this.missing(word);
    return member;
  }
}
