import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { library } from '../support/entities/library.js';
import { expectAccepted, expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const { contract } = service({ ...libraryWith([books(), parcels()]), entities: [...library, Parcel] });

const book = ({ request }: Subject) => ({ send: () => request().post('/books'), beside: { title: 'Emma' } });
const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

const notUnicode = 'value contains characters that cannot be stored';

contract(
  'Text longer than its column: value should be at most <max_length> characters long',
  async (subject) => {
    const texts = ['x'.repeat(101), '😀'.repeat(101), 'x'.repeat(100_000)].map((text) =>
      JSON.stringify(text),
    );
    const message = 'value should be at most 100 characters long';
    await expectRefused({ send: book(subject).send }, 'title', texts, message);
  },
);

contract('The length of a text is counted in characters, not in code units', async (subject) => {
  const text = '😀'.repeat(100);
  await expectAccepted({ send: book(subject).send }, 'title', { [JSON.stringify(text)]: text });
});

contract(
  "A value out of the column's range: value should be between <lowest> and <highest>",
  async (subject) => {
    const between = (greatest: number) => `value should be between ${-greatest - 1} and ${greatest}`;
    await expectRefused(book(subject), 'pages', ['2147483648', '-2147483649', '1e20'], between(2147483647));
    await expectRefused(parcel(subject), 'pieces', ['32768', '-32769', '1e300'], between(32767));
    const decimal = 'value should be between -99999999.99 and 99999999.99';
    await expectRefused(parcel(subject), 'value', ['"100000000"', '"-99999999.995"'], decimal);
    const long = 'value should be between -9223372036854775808 and 9223372036854775807';
    await expectRefused(parcel(subject), 'barcode', ['"9223372036854775808"', `"${'9'.repeat(400)}"`], long);
  },
);

contract("The bounds of a column's range are values", async (subject) => {
  await expectAccepted(book(subject), 'pages', { 2147483647: 2147483647, '-2147483648': -2147483648 });
  await expectAccepted(parcel(subject), 'pieces', { 32767: 32767, '-32768': -32768 });
  await expectAccepted(parcel(subject), 'value', { '"99999999.99"': '99999999.99' });
  const least = '-9223372036854775808';
  await expectAccepted(parcel(subject), 'barcode', { [`"${least}"`]: least });
});

contract('NUL in a text: value contains characters that cannot be stored', async (subject) => {
  for (const column of ['isbn', 'notes'])
    await expectRefused(book(subject), column, ['"\\u0000"', '"a\\u0000b"', '"a\\u0000"'], notUnicode);
});

contract(
  'An unpaired surrogate in a text: value contains characters that cannot be stored',
  async (subject) => {
    const values = ['"\\ud800"', '"a\\udfff"', '"\\udc00\\ud800"', '"\\ud83d\\ud83d\\ude00"'];
    for (const column of ['isbn', 'notes']) await expectRefused(book(subject), column, values, notUnicode);
  },
);

contract(
  'NUL or an unpaired surrogate anywhere in a Json column cannot be stored either',
  async (subject) => {
    const values = ['"\\u0000"', '["\\ud800"]', '{"a":{"b":"\\u0000"}}', '{"\\u0000":1}', '[{"\\udfff":1}]'];
    await expectRefused(parcel(subject), 'labels', values, notUnicode);
  },
);
