import { isDatabaseError } from '../database/database.error.js';
import { quoteIdentifier, quoteTable } from '../database/quoting.js';
import type { ForgivingSession } from '../database/session.js';
import type { RetypedColumn } from '../diff/schema.diff.tool.js';

/** Integers with a sign and without: PostgreSQL reads the bits of the one as the other, so they come back as they were. */
const integers: ReadonlySet<string> = new Set(['smallint', 'integer', 'bigint', 'oid']);

/**
 * SQLSTATEs of what a conversion itself may meet: values, constraints of a domain, a type or a function that is not there, an
 * error of a function. Any other says nothing of values, e.g. that somebody holds the table.
 */
const isOfValues = /^(?:0A|21|22|23|39|42|P0)/;

/** The pattern of all of a JSON text but the colons between names and values. */
const besidesMembers = String.raw`E'"([^"\\\\]|\\\\.)*"|[^":]+'`;

/**
 * Finds the existing values that a new type would change, e.g. `3 values of column public.t.a (text → integer)`.
 * PostgreSQL cuts and rounds in an explicit cast without a word, so every value is turned into the new type and back.
 */
export async function changedValues(
  session: ForgivingSession,
  columns: readonly RetypedColumn[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const column of columns) {
    const what = `column ${column.schema}.${column.table}.${column.column} (${column.from} → ${column.to})`;
    const count = await countChanged(session, column);
    lines.push(...changedIn(what, count));
  }
  return lines;
}

/** Says how many values of a column would change; nothing for none. @param count undefined where that cannot be asked */
export function changedIn(what: string, count: bigint | undefined): readonly string[] {
  if (count === undefined) return [`whatever of ${what} the new type cannot hold`];
  if (count === 0n) return [];
  return [`${count === 1n ? '1 value' : `${String(count)} values`} of ${what}`];
}

/** Counts the values that come back changed; undefined when that cannot be asked, because the new type is not there yet. */
async function countChanged(session: ForgivingSession, column: RetypedColumn): Promise<bigint | undefined> {
  const { schema, table } = column;
  try {
    const condition = await lossOf(session, column);
    if (condition === undefined) return 0n;
    const [row] = await session.attempt(() =>
      session.query(`select count(*)::text as changed from ${quoteTable(schema, table)} where ${condition}`),
    );
    return BigInt(row?.['changed'] as string);
  } catch (error) {
    if (!isDatabaseError(error) || !isOfValues.test(error.code)) throw error;
    // Class 22: a value that the new type refuses stops the migration itself, and nothing is lost.
    return error.code.startsWith('22') ? 0n : undefined;
  }
}

/** The condition of the values that are lost; undefined where the new type takes a text as it stands or refuses it. */
async function lossOf(session: ForgivingSession, column: RetypedColumn): Promise<string | undefined> {
  // What a domain does not allow stops the migration itself.
  const { from, heldBy: to = column.to } = column;
  const value = quoteIdentifier(column.column);
  const changed = `(${value}::${to})`;
  if (to === 'json') return undefined;
  // Spaces and the order of members are not kept, and are no loss. Of members with one name the last alone is kept.
  if (to === 'jsonb') return differ(membersOf(`${value}::text::json`), membersOf(changed));
  const back = `(${changed}::${from})`;
  // 1.5 is 1.50. Other types call values equal that are not the same: boxes of one area, intervals of a month and of 30 days.
  if (!(await isNumeric(session, from))) return differ(inFull(back), inFull(value));
  const list = from.endsWith('[]') && to.endsWith('[]') ? '[]' : '';
  const areIntegers = [from, to].every((type) => integers.has(type.slice(0, type.length - list.length)));
  if (!areIntegers) return differ(back, value);
  const inDigits = `::text::numeric${list}`;
  return differ(changed + inDigits, value + inDigits);
}

/** True for a type of numbers, a list of them, or a domain over one of both. */
async function isNumeric(session: ForgivingSession, type: string): Promise<boolean> {
  const [row] = await session.attempt(() =>
    session.query(
      `select 'N' in (t.typcategory, e.typcategory) as is_numeric from pg_type t
         left join pg_type e on e.oid = t.typelem and t.typcategory = 'A' where t.oid = $1::regtype`,
      [type],
    ),
  );
  return row?.['is_numeric'] === true;
}

function differ(one: string, other: string): string {
  return `${one} is distinct from ${other}`;
}

/** A collation may call different texts the same. */
function inFull(value: string): string {
  return `${value}::text collate "C"`;
}

function membersOf(json: string): string {
  return `regexp_replace(${json}::text, ${besidesMembers}, '', 'g')`;
}
