import { expect } from '@jest/globals';
import { clientError, expectAnswer } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { idsOf, stockWith, storeWares, wareColumns, wares } from './advanced-search.wares.js';

const { contract } = service(stockWith([wares({ maximumLimit: 0 })]));

/** A search whose body is this text, or these bytes. */
const sent = ({ raw }: Subject, body: string | Buffer, method = 'POST') =>
  raw(method, '/wares', { headers: { 'content-type': 'application/json' }, body });

/** The body of a search with one condition, its value in JSON. */
const where = (column: string, operator: string, value: string) =>
  `{"where":[{"column":${JSON.stringify(column)},"operator":${JSON.stringify(operator)},"value":${value}}]}`;

/** The error of a search that is refused, else the ids it finds. */
const outcome = async (subject: Subject, body: string | Buffer): Promise<unknown> => {
  const answer = await sent(subject, body);
  if (answer.status === 200) return idsOf(answer as never);
  expect([answer.status, answer.body]).toEqual([400, clientError((answer.body as { error: string }).error)]);
  return (answer.body as { error: string }).error;
};

contract('A body that is not JSON is refused, by every method', async (subject) => {
  const error = clientError('The request body is not valid JSON');
  for (const body of ['{', ' ', 'null,', '{"where":[}', "{'where':[]}", '{"where":undefined}', '\0', 'x'])
    for (const method of ['GET', 'POST', 'QUERY'])
      expectAnswer(await sent(subject, body, method), 400, error);
});

contract('A body that is not an object is refused, by every method', async (subject) => {
  const error = clientError('The request body must be a JSON object');
  for (const body of ['[]', 'null', '1', '"where"', 'true', '[{"where":[]}]'])
    for (const method of ['GET', 'POST', 'QUERY'])
      expectAnswer(await sent(subject, body, method), 400, error);
});

contract('A body whose bytes are not UTF-8 is refused', async (subject) => {
  const text = (...bytes: number[]) =>
    Buffer.concat([
      Buffer.from('{"where":[{"column":"label","operator":"=","value":"'),
      Buffer.from(bytes),
      Buffer.from('"}]}'),
    ]);
  for (const body of [
    text(0xff),
    text(0xc3, 0x28),
    text(0xc0, 0xaf),
    text(0xed, 0xa0, 0x80),
    text(0xf5, 0x80, 0x80, 0x80),
    Buffer.from('{"where":[]}', 'utf16le'),
  ])
    expect(await outcome(subject, body)).toBe('The request body is not valid JSON');
});

contract('A byte order mark before the body is no part of it', async (subject) => {
  await storeWares(subject);
  expect(await outcome(subject, `\ufeff${where('size', '=', '7')}`)).toEqual([3]);
});

contract('Keys that every object has are unknown keys, and change nothing', async (subject) => {
  await storeWares(subject);
  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'toJSON',
  ]) {
    expect(await outcome(subject, `{"${name}":{"where":[]}}`)).toBe(
      `Unknown parameter '${name}' in the body`,
    );
    expect(await outcome(subject, `{"where":[{"${name}":{"column":"size"}}]}`)).toBe(
      `where 1: '${name}' is unknown; allowed: column, operator, value`,
    );
    expect(await outcome(subject, `{"sort":[{"${name}":"size"}]}`)).toBe(
      `sort 1: '${name}' is unknown; allowed: column, direction`,
    );
    expect(await outcome(subject, where(name, '=', '1'))).toBe(
      `where 1: column must be one of: ${wareColumns}`,
    );
    expect(await outcome(subject, where('size', name, '1'))).toMatch(/^where 1: operator must be one of: /);
  }
  expect(await outcome(subject, '{}')).toEqual([1, 2, 3, 4]);
});

contract('Objects and lists where text or a number is due are refused', async (subject) => {
  for (const value of ['{}', '[]', '{"$gt":""}', '{"sql":"1=1","params":[]}', '[["a"]]', '{"__proto__":"a"}'])
    for (const [column, message] of [
      ['label', 'value should be a string'],
      ['size', 'value should be an integer'],
      ['sold_at', 'given value did not appear to be a valid date'],
      ['state', 'value should be one of: new, used, Broken'],
    ] as const) {
      expect(await outcome(subject, where(column, '=', value))).toBe(`where 1: ${message}`);
      expect(await outcome(subject, where(column, 'in', `[${value}]`))).toBe(`where 1: ${message}`);
    }
  for (const value of ['{}', '[]', '{"toString":"like"}'])
    expect(await outcome(subject, `{"where":[{"column":"size","operator":${value},"value":1}]}`)).toMatch(
      /^where 1: operator must be one of: /,
    );
});

contract('JSON that is nested too deeply is refused', async (subject) => {
  const error = 'The request body must not be nested deeper than 64 levels';
  for (const depth of [65, 1000, 100_000]) {
    const lists = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(await outcome(subject, where('label', 'in', lists))).toBe(error);
    expect(await outcome(subject, `{"x":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`)).toBe(error);
  }
  const shallow = `${'['.repeat(50)}${']'.repeat(50)}`;
  expect(await outcome(subject, where('label', 'in', shallow))).toBe('where 1: value should be a string');
});

contract('Numbers that JavaScript cannot hold are refused', async (subject) => {
  for (const [column, number, message] of [
    ['size', '1e400', 'value should be an integer'],
    ['size', '-1e400', 'value should be an integer'],
    ['size', '1e21', 'value should be between -2147483648 and 2147483647'],
    ['weight', '1e400', `value should be between ${-Number.MAX_VALUE} and ${Number.MAX_VALUE}`],
    ['price', '1e400', 'value should be a decimal number'],
    ['price', '1e300', 'value should be between -9999999999.99 and 9999999999.99'],
    ['serial', '1e400', 'value should be an integer'],
    ['serial', '9007199254740993', 'value should be an integer'],
    ['checked_at', '1e400', 'value should be an integer'],
    ['label', '1e400', 'value should be a string'],
  ] as const)
    expect([column, number, await outcome(subject, where(column, '=', number))]).toEqual([
      column,
      number,
      `where 1: ${message}`,
    ]);
  for (const word of ['limit', 'start'])
    expect(await outcome(subject, `{"${word}":1e400}`)).toMatch(
      new RegExp(`^'${word}' must be a whole number`),
    );
});

contract('A minus zero is zero', async (subject) => {
  await storeWares(subject);
  for (const number of ['-0', '-0.0', '-0e5'])
    for (const column of ['size', 'checked_at']) {
      expect(await outcome(subject, where(column, '=', number))).toEqual([2]);
      expect(await outcome(subject, where(column, 'in', `[${number}]`))).toEqual([2]);
    }
  expect(await outcome(subject, where('weight', '<', '-0'))).toEqual([1]);
  expect(await outcome(subject, where('price', '<', '-0'))).toEqual([1]);
  expect(await outcome(subject, where('serial', '<', '-0'))).toEqual([1]);
  expect(await outcome(subject, '{"start":-0,"limit":2}')).toEqual([1, 2]);
  expect(await outcome(subject, '{"limit":-0}')).toBe("'limit' must be a whole number from 1");
});

contract('The tiniest and the largest numbers are compared as they are', async (subject) => {
  await subject.save(Ware, { id: 1, weight: 5e-324 });
  await subject.save(Ware, { id: 2, weight: Number.MAX_VALUE });
  expect(await outcome(subject, where('weight', '=', '5e-324'))).toEqual([1]);
  expect(await outcome(subject, where('weight', '=', '1e-400'))).toEqual([]);
  expect(await outcome(subject, where('weight', '>', '1e-400'))).toEqual([1, 2]);
  expect(await outcome(subject, where('weight', '>=', '1.7976931348623157e308'))).toEqual([2]);
});

contract('Texts that mean a number elsewhere are only texts', async (subject) => {
  for (const text of ['NaN', 'Infinity', '-Infinity', '0x10', '1_000', '٣', '1e1000000000']) {
    const value = JSON.stringify(text);
    expect(await outcome(subject, where('size', '=', value))).toBe('where 1: value should be an integer');
    expect(await outcome(subject, where('weight', '=', value))).toBe('where 1: value should be a number');
    expect(await outcome(subject, where('price', '=', value))).toBe(
      'where 1: value should be a decimal number',
    );
    expect(await outcome(subject, where('serial', '=', value))).toBe('where 1: value should be an integer');
    expect(await outcome(subject, where('label', '=', value))).toEqual([]);
  }
  for (const number of ['NaN', 'Infinity', '0x10', '01', '.5', '+1'])
    expect(await outcome(subject, where('size', '=', number))).toBe('The request body is not valid JSON');
});

contract('Dates that only databases know are refused', async (subject) => {
  for (const text of ['infinity', '-infinity', 'now', 'today', 'epoch', '0000-01-01', '10000-01-01'])
    for (const column of ['made_on', 'sold_at'])
      expect(await outcome(subject, where(column, '=', JSON.stringify(text)))).toBe(
        'where 1: given value did not appear to be a valid date',
      );
});

contract('NUL and lone surrogates in a value are refused', async (subject) => {
  for (const value of ['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"'])
    for (const column of ['label', 'depot.name', 'parts.name'])
      for (const [operator, sentValue] of [
        ['=', value],
        ['<', value],
        ['<=>', value],
        ['in', `["a",${value}]`],
        ['like', value],
      ] as const)
        expect(await outcome(subject, where(column, operator, sentValue))).toBe(
          'where 1: value contains characters that cannot be stored',
        );
});

contract('NUL and lone surrogates in names and words are refused with them', async (subject) => {
  for (const text of ['\0', '\ud800', 'size\0', '\udfffsize']) {
    const name = JSON.stringify(text);
    expect(await outcome(subject, `{${name}:1}`)).toBe(`Unknown parameter '${text}' in the body`);
    expect(await outcome(subject, `{"where":[{${name}:1}]}`)).toBe(
      `where 1: '${text}' is unknown; allowed: column, operator, value`,
    );
    expect(await outcome(subject, where(text, '=', '1'))).toBe(
      `where 1: column must be one of: ${wareColumns}`,
    );
    expect(await outcome(subject, where('size', text, '1'))).toMatch(/^where 1: operator must be one of: /);
  }
});

contract('Right-to-left marks, combining letters and emoji are letters like any other', async (subject) => {
  const labels = ['\u202eabc', 'abc', '\u200f', 'e\u0301', 'é', '👩‍👩‍👧', '\u2028', '\ufeff', '日本'];
  for (const [index, label] of labels.entries()) await subject.save(Ware, { id: index + 1, label });
  for (const [index, label] of labels.entries())
    expect(await outcome(subject, where('label', '=', JSON.stringify(label)))).toEqual([index + 1]);
});

contract('A value is never read as SQL', async (subject) => {
  await storeWares(subject);
  const texts = [
    "' or '1'='1",
    "'; drop table ware; --",
    '$1',
    '?',
    ':label',
    '"label"',
    '\\',
    '{}',
    '/*',
    '%s',
  ];
  for (const text of texts)
    for (const [operator, value] of [
      ['=', text],
      ['in', [text]],
      ['like', text],
    ] as const)
      expect(await outcome(subject, where('label', operator, JSON.stringify(value)))).toEqual([]);
  expect(await subject.count(Ware)).toBe(4);
});

contract('A text of any length is a value', async (subject) => {
  await subject.save(Ware, { id: 1, label: 'short' });
  const text = JSON.stringify('x'.repeat(900_000));
  expect(await outcome(subject, where('label', '!=', text))).toEqual([1]);
  expect(await outcome(subject, where('label', 'in', `[${text},"short"]`))).toEqual([1]);
});

contract('A pattern of 10,000 characters is answered, a longer one is refused', async (subject) => {
  await subject.save(Ware, { id: 1, label: 'short' });
  const pattern = (length: number) => where('label', 'like', JSON.stringify('x'.repeat(length)));
  expect(await outcome(subject, pattern(10_000))).toEqual([]);
  const refusal = 'where 1: value should be at most 10000 characters long';
  expect(await outcome(subject, pattern(10_001))).toBe(refusal);
  expect(await outcome(subject, pattern(900_000))).toBe(refusal);
});

contract('A body larger than the limit is refused', async (subject) => {
  const answer = await sent(subject, where('label', '=', JSON.stringify('x'.repeat(1024 * 1024))));
  expectAnswer(answer, 413, clientError('The request body must not be larger than 1048576 bytes'));
});

contract('Of a key that is sent twice the last one counts', async (subject) => {
  await storeWares(subject);
  expect(await outcome(subject, '{"limit":1,"limit":2}')).toEqual([1, 2]);
  expect(await outcome(subject, '{"limit":1,"limi\\u0074":2}')).toEqual([1, 2]);
});
