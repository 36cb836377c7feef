import { defineEntity, p } from '@mikro-orm/core';
import { Create } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';
import type { Subject } from '../support/contract.js';

const Ledger = defineEntity({
  name: 'Ledger',
  properties: {
    id: p.integer().primary().autoincrement(),
    sum: p.decimal('string').precision(40).scale(10).nullable(),
    cents: p.decimal('string').precision(10).scale(2).nullable(),
    rate: p.decimal('number').precision(20).scale(2).nullable(),
  },
});

const columns = ['sum', 'cents', 'rate'] as const;
const { contract } = service(
  {
    entities: [Ledger],
    endpoints: [
      new Create({
        url: 'sums',
        modelClass: Ledger,
        readableColumnNames: columns,
        writeableColumnNames: columns,
      }),
    ],
  },
  everyDatabase,
);

const sums = ({ request }: Subject) => ({ send: () => request().post('/sums') });

contract('A Decimal column takes JSON numbers with an exponent', async (subject) => {
  await expectAccepted(sums(subject), 'sum', {
    '1e-7': '0.0000001000',
    '-1.5e-8': '-0.0000000150',
    '1e21': '1000000000000000000000.0000000000',
    '-1.25E+22': '-12500000000000000000000.0000000000',
    '5e0': '5.0000000000',
    '1e-400': '0.0000000000',
  });
  await expectAccepted(sums(subject), 'cents', { '1e-7': '0.00', '1e7': '10000000.00' });
});

contract(
  'A Decimal column refuses JSON numbers with an exponent that are out of its range',
  async (subject) => {
    const cents = 'value should be between -99999999.99 and 99999999.99';
    await expectRefused(sums(subject), 'cents', ['1e21', '-1e8', '1e300'], cents);
    const sum = `value should be between -${'9'.repeat(30)}.${'9'.repeat(10)} and ${'9'.repeat(30)}.${'9'.repeat(10)}`;
    await expectRefused(sums(subject), 'sum', ['1e30', '-1e300'], sum);
    await expectRefused(sums(subject), 'sum', ['1e400', '"1e3"'], 'value should be a decimal number');
  },
);

contract('A decimal that is a number in the entity is a Decimal, of 15 digits at least', async (subject) => {
  await expectAccepted(sums(subject), 'rate', {
    '"1.5"': '1.50',
    2: '2.00',
    '"-1234567890123.45"': '-1234567890123.45',
  });
  await expectRefused(sums(subject), 'rate', ['"1e3"', 'true'], 'value should be a decimal number');
});
