import { fc } from '../support/property.js';

/** JSON text of values that went wrong somewhere before. */
const texts = [
  '',
  ' ',
  '\\',
  "'",
  '"',
  '\u0000',
  'a\u0000',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u2028',
  'null',
  '%',
  '$1',
];
const numbers = [
  ...[
    '0',
    '-0',
    '-0.0',
    '0.1',
    '1e-400',
    '5e-324',
    '1e-46',
    '1e400',
    '-1e400',
    '1.7976931348623157e308',
    '1e39',
  ],
  ...[
    '3.4028234663852886e38',
    '3.4028235677973366e38',
    '16777217',
    '32767',
    '32768',
    '-32769',
    '99999999.995',
  ],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '9007199254740991', '9007199254740992'],
  ...['-9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775809', '1e21'],
];
const numerals = [
  ...numbers,
  '9'.repeat(40),
  '9'.repeat(1200),
  '0x10',
  'NaN',
  'Infinity',
  '1_000',
  '٣',
  '007',
];
const dates = [
  ...[
    '0001-01-01',
    '9999-12-31',
    '0000-01-01',
    '10000-01-01',
    '-0001-01-01',
    '2026-02-29',
    'infinity',
    'epoch',
  ],
  ...[
    '0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '0001-01-01T00:00:00-14:00',
    '0000-12-31T23:59:59-00:01',
  ],
  ...[
    '9999-12-31T23:59:59Z',
    '9999-12-31T23:59:59-14:00',
    '9999-12-31T23:59:59.999999999Z',
    '9999-12-31T24:00:00Z',
  ],
  ...[
    '2016-12-31T23:59:60Z',
    '2026-11-21T09:00:00+23:59',
    '2026-11-21T09:00:00 01:00',
    '2026-11-21T09:00:00-15:00',
  ],
];
const keys = [
  '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11',
  '7D0F4B52-6C1F-4A9E-9A63-0D8C6F0F1A1',
  '{7d0f4b52}',
  'small',
];
const objects = [
  ...[
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"toString":1}',
  ],
  ...[
    '{"then":1}',
    '{"$ne":null}',
    '[{"$gt":""}]',
    '{"sql":"select 1","params":[]}',
    '{"id":1}',
    '[1,"a",null,{}]',
  ],
  ...[
    '{"toJSON":1}',
    '{"length":1}',
    '{"type":"Buffer","data":[0]}',
    '{"\\u0000":1}',
    '["\\ud800"]',
    '[1e400]',
  ],
];

/** Text that a client may put anywhere, unpaired surrogates and NUL among it. */
const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts, ...numerals, ...dates, ...keys) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then']),
  },
);

const longText = fc.tuple(fc.constantFrom('x', '😀', '\\u0000', '1'), fc.integer({ min: 256, max: 50_000 }));
const depth = fc.integer({ min: 1, max: 20_000 });

/** The JSON text of any value. */
const hostileJson = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...numbers, ...objects, 'null', 'true', 'false') },
  { weight: 4, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.double().map((number) => JSON.stringify(number)) },
  { weight: 1, arbitrary: longText.map(([unit, length]) => `"${unit.repeat(length / unit.length)}"`) },
  { weight: 1, arbitrary: depth.map((levels) => '['.repeat(levels) + ']'.repeat(levels)) },
  { weight: 1, arbitrary: depth.map((levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) },
);

/** The JSON text of an object whose keys are often among the given ones. */
export const hostileObject = (names: readonly string[]): fc.Arbitrary<string> => {
  const odd = fc.oneof(hostileText, fc.constantFrom('id', 'created', 'author', 'x'.repeat(10_000)));
  const key = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: odd });
  const member = fc.tuple(key, hostileJson).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return fc.array(member, { maxLength: 6 }).map((members) => `{${members.join()}}`);
};

/** A text as it may stand in a path or a query string: escaped well, escaped badly, or hardly at all. */
export const hostileEscaped = fc.oneof(
  { weight: 6, arbitrary: hostileText.map(escaped) },
  { weight: 1, arbitrary: hostileText.map((text) => text.replace(/[^!-~]/g, '')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%', '%zz', '%00', '%ff', '%c0%af', '%ed%a0%80', '%u0041', '%2', '+', '%2b'),
  },
  { weight: 1, arbitrary: fc.integer({ min: 101, max: 12_000 }).map((length) => '1'.repeat(length)) },
);

/** Percent-encodes a text as UTF-8, an unpaired surrogate as the three bytes it would have. */
function escaped(text: string): string {
  return Array.from(text, (character) =>
    character.isWellFormed()
      ? encodeURIComponent(character)
      : Array.from(surrogateBytes(character.charCodeAt(0)), (byte) => `%${byte.toString(16)}`).join(''),
  ).join('');
}

function surrogateBytes(code: number): readonly number[] {
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
}
