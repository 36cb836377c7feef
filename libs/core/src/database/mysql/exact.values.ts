import type { TextClient } from './new.clients.js';

/** A column of an answer that comes as text, as `mysql2` hands it over. */
interface TextField {
  readonly type: string;
  string(): string | null;
}

type ReadsField = (field: TextField, next: () => unknown) => unknown;

/** The functions that read columns of types that `mysql2` or MikroORM read wrong. */
const exact: ReadonlyMap<string, ReadsField> = new Map([
  ['FLOAT', number],
  ['DOUBLE', number],
  ['DATETIME', instant],
  ['TIMESTAMP', instant],
]);

const exactly: ReadsField = (field, next) => {
  const read = exact.get(field.type);
  return read === undefined ? next() : read(field, next);
};

/** Reads a number. `mysql2` itself makes of 16 or 17 characters what may be the number beside theirs. */
function number(field: TextField): unknown {
  const text = field.string();
  return text === null ? null : Number(text);
}

/** Gives the text of an instant, of which MikroORM makes a `Date`: without a T, the year 31 would be none, and the year 1 be 2001. */
function instant(_field: TextField, next: () => unknown): unknown {
  const text = next();
  return typeof text === 'string' && ancient.test(text) ? text.replace(' ', 'T') : text;
}

/** The years 1 to 99. */
const ancient = /^00(?!00)/;

/**
 * Has numbers with a floating point, and instants, read exactly where a statement is sent whole, as Kysely does it: a record must not
 * have another value there than where its statement is prepared, whose numbers come as they are stored.
 */
export function readExactly(client: TextClient): void {
  const query = client.query.bind(client);
  client.query = (asked, ...rest) => {
    if (typeof asked === 'string') return query({ sql: asked, typeCast: exactly }, ...rest);
    // What the pool sends by itself is a command that is made already.
    const isMade = Object.getPrototypeOf(asked) !== Object.prototype;
    return isMade ? query(asked, ...rest) : query({ ...(asked as object), typeCast: exactly }, ...rest);
  };
}
