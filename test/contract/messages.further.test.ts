import { service } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const { contract } = service({
  entities: [Parcel],
  endpoints: [parcels()],
  root: { internalCasing: 'camelCase' },
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
