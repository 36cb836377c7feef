import { BadRequest } from '../../wire/refusals.js';
import type { NameTable } from '../../wire/name.table.js';
import { spellings } from '../../request/search.entry.js';

/** The ways in which a client says which records it means. */
export type BulkForm = 'records' | 'ids' | 'where';

type BulkWord = BulkForm | 'changes' | 'maximum';

/** A member of a body as it came. */
export interface BodyPart {
  /** The name as the client wrote it. */
  readonly name: string;
  readonly value: unknown;
}

/** A request for many records, before its values are looked at. */
export interface SentBulk {
  readonly form: BulkForm;
  /** The list that says which records. */
  readonly list: readonly unknown[];
  /** The name of the list as the client wrote it. */
  readonly name: string;
  readonly changes: BodyPart | undefined;
  readonly maximum: BodyPart | undefined;
}

/** One entry of `records`. */
export interface SentEntry {
  readonly place: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** The members that may stand beside a list. */
const beside: Readonly<Record<BulkForm, readonly BulkWord[]>> = {
  records: [],
  ids: ['changes'],
  where: ['changes', 'maximum'],
};

/** Reads the body of a request for many records. Made once per endpoint. */
export class BulkBody {
  readonly #words: ReadonlyMap<string, BulkWord>;

  /**
   * @param forms the forms that clients may use
   * @param takesChanges whether `changes` stand beside a list that names records
   * @param most the most records of one request
   */
  constructor(
    private readonly names: NameTable,
    private readonly forms: readonly BulkForm[],
    takesChanges: boolean,
    private readonly most: number,
  ) {
    const further = takesChanges ? (['changes', 'maximum'] as const) : (['maximum'] as const);
    this.#words = spellings<BulkWord>(names, [...forms, ...further]);
  }

  /** @throws BadRequest with a sentence that names the part */
  read(body: ReadonlyMap<string, unknown>): SentBulk {
    const parts = new Map<BulkWord, BodyPart>();
    for (const [name, value] of body) {
      const word = this.#words.get(name);
      if (word === undefined || parts.has(word)) throw this.#misformed();
      parts.set(word, { name, value });
    }
    const [form, ...others] = this.forms.filter((one) => parts.has(one));
    if (form === undefined || others.length > 0) throw this.#misformed();
    for (const word of parts.keys())
      if (word !== form && !beside[form].includes(word)) throw this.#misformed();
    const part = parts.get(form) ?? { name: form, value: undefined };
    const list = this.#listed(part);
    const [changes, maximum] = [parts.get('changes'), parts.get('maximum')];
    return { form, list, name: part.name, changes, maximum };
  }

  /** The entries of `records`. @throws BadRequest for one that is no object */
  entries({ list, name }: SentBulk): readonly SentEntry[] {
    return list.map((members, index) => {
      const place = `${name}.${index}`;
      if (!isObject(members)) throw new BadRequest(`${place} must be an object`);
      return { place, members };
    });
  }

  /** The members of `changes`. @throws BadRequest where there is no such object */
  changes({ changes }: SentBulk): SentEntry {
    const place = changes?.name ?? this.names.control('changes');
    const members = changes?.value;
    if (!isObject(members)) throw new BadRequest(`'${place}' must be an object`);
    return { place, members };
  }

  /** The most records that the client lets its conditions meet. @throws BadRequest */
  maximum({ maximum }: SentBulk): number {
    const value = maximum?.value;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= this.most)
      return value;
    const name = maximum?.name ?? this.names.control('maximum');
    throw new BadRequest(`'${name}' must be a whole number from 1 to ${this.most}`);
  }

  #listed({ name, value }: BodyPart): readonly unknown[] {
    if (!Array.isArray(value)) throw new BadRequest(`'${name}' must be a list`);
    if (value.length === 0) throw new BadRequest(`'${name}' must have at least one entry`);
    if (value.length > this.most && this.#words.get(name) !== 'where')
      throw new BadRequest(`'${name}' must not have more than ${this.most} entries`);
    return value;
  }

  #misformed(): BadRequest {
    const forms = this.forms.map((form) => this.names.control(form));
    return new BadRequest(`The body must have one of: ${forms.join(', ')}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
