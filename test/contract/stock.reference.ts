import type { PlainWare } from './stock.records.js';

/** What a condition of an AdvancedSearch says, by the names a client uses. */
export interface SearchCondition {
  readonly column: string;
  readonly operator: string;
  readonly value?: unknown;
}

/** A condition, or a group of entries. */
export type SearchEntry =
  | SearchCondition
  | { readonly any: readonly SearchEntry[] }
  | { readonly all: readonly SearchEntry[] }
  | { readonly not: SearchEntry }
  | { readonly some: string; readonly all: readonly SearchEntry[] }
  | { readonly none: string; readonly all: readonly SearchEntry[] };

export interface SearchSort {
  readonly column: string;
  readonly direction: string;
}

type Key = string | number | bigint;

/** A column of the reference: the values a record has in it, and what they are ordered by. */
interface ReferenceColumn {
  /** One for a column of the record or of a parent; as many as there are children. */
  values(ware: PlainWare): readonly unknown[];
  /** What a stored value is ordered by. */
  key(value: unknown): Key;
  /** What a condition compares a stored value by; instants are compared as they are written. */
  compared?(value: unknown): Key;
  /** What the value of a condition is compared by. */
  operand?(value: unknown): Key;
}

/** The order of the C collation: by the bytes of UTF-8. */
const bytes = (value: unknown): Key => Buffer.from(String(value), 'utf8').toString('hex');
const number = (value: unknown): Key => Number(value);
const integer = (value: unknown): Key => BigInt(String(value));
const hundredths = (value: unknown): Key => BigInt(Number(value).toFixed(2).replace('.', ''));
const text = (value: unknown): Key => String(value);
const caseless = (value: unknown): Key => String(value).toLowerCase();

const own = (name: keyof PlainWare, key: ReferenceColumn['key']): ReferenceColumn => ({
  values: (ware) => [ware[name]],
  key,
});

const columns: Readonly<Record<string, ReferenceColumn>> = {
  id: own('id', number),
  label: own('label', bytes),
  size: own('size', number),
  weight: own('weight', number),
  price: own('price', hundredths),
  serial: own('serial', integer),
  fragile: own('fragile', number),
  made_on: own('madeOn', text),
  sold_at: {
    ...own('soldAt', number),
    compared: (micros) => Math.floor(Number(micros) / 1e6),
    operand: (written) => Math.floor(Date.parse(String(written)) / 1e3),
  },
  checked_at: own('checkedAt', number),
  code: own('code', caseless),
  state: own('state', bytes),
  'depot.name': { values: ({ depot }) => [depot?.name ?? null], key: bytes },
  'depot.rank': { values: ({ depot }) => [depot?.rank ?? null], key: number },
  'depot.region.title': { values: ({ depot }) => [depot?.region?.title ?? null], key: bytes },
  'parts.name': { values: ({ parts }) => parts.map(({ name }) => name), key: bytes },
  'parts.count': { values: ({ parts }) => parts.map(({ count }) => count), key: number },
  'tags.word': { values: ({ tags }) => tags.map(({ word }) => word), key: bytes },
};

const columnOf = (name: string): ReferenceColumn => {
  const column = columns[name];
  if (!column) throw new Error(`the reference has no column ${name}`);
  return column;
};

/** Whether a record meets a condition; for children, whether one of them does. */
const meets = (ware: PlainWare, { column, operator, value }: SearchCondition): boolean => {
  const { values, key, compared = key, operand = compared } = columnOf(column);
  return values(ware).some((stored) => {
    if (operator === 'is null') return stored === null;
    if (operator === 'is not null') return stored !== null;
    if ((operator === 'is' || operator === '<=>') && value === null) return stored === null;
    if (operator === 'is not' && value === null) return stored !== null;
    if (stored === null) return operator === 'is not';
    if (operator === 'in') return (value as unknown[]).some((one) => operand(one) === compared(stored));
    if (operator === 'not in') return !(value as unknown[]).some((one) => operand(one) === compared(stored));
    if (operator === 'between') {
      const [least = 0, most = 0] = (value as unknown[]).map(operand);
      return least <= compared(stored) && compared(stored) <= most;
    }
    if (operator === 'contains') return plain(stored).includes(plain(value));
    if (operator === 'starts with') return plain(stored).startsWith(plain(value));
    if (operator === 'ends with') return plain(stored).endsWith(plain(value));
    if (operator === 'like') return pattern(value as string).test(stored as string);
    const [left, right] = [compared(stored), operand(value)];
    const answers: Record<string, boolean> = {
      '=': left === right,
      '<=>': left === right,
      is: left === right,
      '!=': left !== right,
      'is not': left !== right,
      '<': left < right,
      '<=': left <= right,
      '>': left > right,
      '>=': left >= right,
    };
    return answers[operator] ?? false;
  });
};

/** The C collation knows capital letters of ASCII alone, as SQLite does. */
const plain = (value: unknown): string =>
  String(value).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A record with one of its related records alone, for each of them. */
const withEach = (ware: PlainWare, relation: string): readonly PlainWare[] =>
  relation === 'parts'
    ? ware.parts.map((part) => ({ ...ware, parts: [part] }))
    : ware.tags.map((tag) => ({ ...ware, tags: [tag] }));

/** Whether a record meets an entry: something is met or it is not, null or no null. */
const meetsEntry = (ware: PlainWare, entry: SearchEntry, prefix = ''): boolean => {
  if ('column' in entry) return meets(ware, { ...entry, column: prefix + entry.column });
  if ('not' in entry) return !meetsEntry(ware, entry.not, prefix);
  if ('any' in entry) return entry.any.some((one) => meetsEntry(ware, one, prefix));
  const { all } = entry;
  const meetsAll = (one: PlainWare, at: string): boolean =>
    all.every((member) => meetsEntry(one, member, at));
  if ('some' in entry) return withEach(ware, entry.some).some((one) => meetsAll(one, `${entry.some}.`));
  if ('none' in entry) return !withEach(ware, entry.none).some((one) => meetsAll(one, `${entry.none}.`));
  return meetsAll(ware, prefix);
};

/** The regular expression of a `like`: `%` any text, `_` a character, a backslash escapes. */
const pattern = (like: string): RegExp => {
  const parts = like.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const source = parts.map((part) => {
    if (part === '%') return '[^]*';
    if (part === '_') return '[^]';
    const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
    return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source.join('')}$`, 'u');
};

/** Nulls come last ascending and first descending; what ties is ordered by the id, ascending. */
const order =
  (sorts: readonly SearchSort[]) =>
  (one: PlainWare, other: PlainWare): number => {
    for (const { column, direction } of sorts) {
      const { values, key } = columnOf(column);
      const [[left = null], [right = null]] = [values(one), values(other)];
      const ascending = comparedKeys(
        left === null ? undefined : key(left),
        right === null ? undefined : key(right),
      );
      if (ascending !== 0) return direction === 'asc' ? ascending : -ascending;
    }
    return one.id - other.id;
  };

const comparedKeys = (left: Key | undefined, right: Key | undefined): number => {
  if (left === right) return 0;
  if (left === undefined) return 1;
  return right === undefined || left < right ? -1 : 1;
};

/** What a search answers, by a plain filter and sort: the ids in order. */
export const searched = (
  wares: readonly PlainWare[],
  where: readonly SearchEntry[],
  sorts: readonly SearchSort[],
): number[] =>
  wares
    .filter((ware) => where.every((entry) => meetsEntry(ware, entry)))
    .toSorted(order(sorts))
    .map(({ id }) => id);
