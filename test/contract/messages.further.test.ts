import { service } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const { contract } = service({
  entities: [Parcel],
  endpoints: [parcels()],
});

const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

const composites = ['[]', '[1]', '{}', '{"value":1}'];

contract('A Decimal column given a non-decimal: value should be a decimal number', async (subject) => {
  const values = ['"x"', '"1.2.3"', '"NaN"', '"1e3"', '" 1"', '"1,5"', 'true', ...composites];
  await expectRefused(parcel(subject), 'value', values, 'value should be a decimal number');
});

contract('A BigInteger column given a non-integer: value should be an integer', async (subject) => {
  const values = ['"x"', '"1.5"', '"1e3"', '" 1"', '"0x1"', '1.5', 'true', ...composites];
  await expectRefused(parcel(subject), 'barcode', values, 'value should be an integer');
});

contract('A Select column given another value: value should be one of: a, b', async (subject) => {
  const values = ['"Small"', '"small "', '"medium"', '0', 'true', '["small"]', '{}'];
  await expectRefused(parcel(subject), 'size', values, 'value should be one of: small, large');
});

contract('Text shorter than MinimumLength: value should be at least N characters long', async (subject) => {
  const message = 'value should be at least 3 characters long';
  await expectRefused(parcel(subject), 'sender', ['"ab"', '"😀😀"'], message);
  await expectAccepted(parcel(subject), 'sender', { '"abc"': 'abc', '"😀😀😀"': '😀😀😀' });
});

contract('A value below MinimumValue: value should be at least N', async (subject) => {
  await expectRefused(parcel(subject), 'floor', ['-3', '-2147483648'], 'value should be at least -2');
  await expectAccepted(parcel(subject), 'floor', { '-2': -2, 0: 0 });
});

contract('A value above MaximumValue: value should be at most N', async (subject) => {
  await expectRefused(parcel(subject), 'floor', ['41', '2147483647'], 'value should be at most 40');
  await expectAccepted(parcel(subject), 'floor', { 40: 40 });
});

contract('A Phone column given something else: value should be a phone number', async (subject) => {
  const letters = [
    '"call me"',
    '"020 12 34 56x"',
    '"\\u0660\\u0661\\u0662\\u0663\\u0664\\u0665\\u0666"',
    '"0201234567\\u0000"',
  ];
  const counts = ['""', '"123456"', '"1234567890123456"', '"+"'];
  const signs = ['"++31201234567"', '"31+201234567"', '"+ 31201234567"', '"020,1234567"', '"020;1234567"'];
  const edges = ['" 0201234567"', '"0201234567 "', '"-0201234567"', '"0201234567-"', '"0201234567\\n"'];
  const parentheses = ['"(020 1234567"', '"020) 1234567"', '"((020)) 1234567"', '"020() 1234567"'];
  const values = [
    ...letters,
    ...counts,
    ...signs,
    ...edges,
    ...parentheses,
    '31201234567',
    'true',
    ...composites,
  ];
  await expectRefused(parcel(subject), 'phone', values, 'value should be a phone number');
});

contract('A Phone column keeps its number', async (subject) => {
  const short = ['1234567', '+1234567', '123456789012345'];
  const separated = [
    '+31 (0)20 123 45 67',
    '(020) 123-4567',
    '020/123.45.67',
    '020 - 1234567',
    '+1 (212) 555-0100',
  ];
  const numbers = [...short, ...separated];
  const values = Object.fromEntries(numbers.map((number) => [`"${number}"`, number]));
  await expectAccepted(parcel(subject), 'phone', values);
});
