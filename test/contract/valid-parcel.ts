import { isDeepStrictEqual } from 'node:util';
import { BaseMySqlPlatform } from '@mikro-orm/sql';
import { fc } from '../support/property.js';
import { isMariaDb } from '../support/database.js';

/** A value as it is sent, and as it is to be answered. */
interface SentValue {
  readonly sent: unknown;
  readonly answered: unknown;
}

const asSent = (value: unknown): SentValue => ({ sent: value, answered: value });

const storable = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Texts that lists of a database have a word for, among any others. */
const anyText = fc.oneof(
  fc.constantFrom('', ' ', 'NULL', 'null', '"', '\\', ',', '{}', "'", '\n'),
  fc.string({ unit: 'binary', maxLength: 10 }).filter(storable),
);

const platform = new BaseMySqlPlatform();

/** MariaDB has no lists, and not all come back from the text that MikroORM makes of them: the others are refused. */
const isKept = (list: readonly string[]): boolean =>
  isDeepStrictEqual(platform.unmarshallArray(platform.marshallArray([...list])), list);

const texts = fc.array(anyText, { maxLength: 4 }).filter((list) => !isMariaDb || isKept(list));

const phone = fc.stringMatching(/^\+?[0-9](?:[ ./-]?[0-9]){6,14}$/).map(asSent);

const text = fc.string({ unit: 'binary', minLength: 3, maxLength: 20 }).filter(storable);

const integer = (min: number, max: number) =>
  fc.oneof(fc.constantFrom(min, max, 0), fc.integer({ min, max })).map(asSent);

const bigInteger = fc
  .oneof(fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
  .map((value) => asSent(String(value)));

/** What a column of single precision keeps; -0 is 0 in JSON. */
const single = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => asSent(value + 0));

const decimal = fc
  .integer({ min: -9_999_999_999, max: 9_999_999_999 })
  .map((cents) => asSent(`${cents < 0 ? '-' : ''}${hundredths(Math.abs(cents))}`));

const json = fc
  .jsonValue({ maxDepth: 5 })
  .map((value) => JSON.stringify(value))
  .filter((value) => !/\\u(?:0000|d[89a-f])/i.test(value))
  .map((value) => asSent(JSON.parse(value)));

const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59Z');

/** An instant of the years 1 to 9999, written in a zone where it is of these years too. */
const instant = fc
  .tuple(
    fc.date({ min: new Date(first), max: new Date(last), noInvalidDate: true }),
    fc.integer({ min: -839, max: 839 }),
  )
  .filter(([date, minutes]) => isFourDigits(date.getTime() + minutes * 60_000))
  .map(([date, minutes]) => ({
    sent: `${iso(date.getTime() + minutes * 60_000)}${offset(minutes)}`,
    answered: `${iso(date.getTime())}+00:00`,
  }));

const members = fc.record(
  {
    tracking: fc.uuid().map(asSent),
    sender: text.map(asSent),
    pieces: integer(-32_768, 32_767),
    floor: integer(-2, 40),
    volume: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    barcode: bigInteger,
    weight: single,
    value: decimal,
    size: fc.constantFrom('small', 'large').map(asSent),
    labels: json,
    phone,
    marks: texts.map(asSent),
    stops: fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 4 }).map(asSent),
    scanned_at: instant,
    collected_at: integer(first / 1000, last / 1000),
  },
  { requiredKeys: [] },
);

/** Some columns of a parcel with values that are to be accepted: as they are sent, and as they are answered. */
export const validParcel = members.map((parcel) => {
  const values = Object.entries<SentValue>(parcel);
  return {
    sent: Object.fromEntries(values.map(([name, { sent }]) => [name, sent])),
    answered: Object.fromEntries(values.map(([name, { answered }]) => [name, answered])),
  };
});

function hundredths(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1);
}

function isFourDigits(milliseconds: number): boolean {
  return /^\d{4}-/.test(iso(milliseconds)) && !iso(milliseconds).startsWith('0000');
}

function offset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
