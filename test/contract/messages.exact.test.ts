import { defineEntity, p } from '@mikro-orm/core';
import { Create, defineColumns, MaximumValue, MinimumValue } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';

/** Numbers with more digits than those of JavaScript. */
const Sum = defineEntity({
  name: 'Sum',
  properties: {
    id: p.integer().primary().autoincrement(),
    amount: p.decimal('string').precision(30).scale(18).nullable(),
    count: p.bigint('string').nullable(),
  },
});

defineColumns(Sum, {
  amount: { validators: [new MinimumValue(1), new MaximumValue(100)] },
  count: { validators: [new MinimumValue(-1e16), new MaximumValue(1e16)] },
});

const { contract } = service(
  {
    entities: [Sum],
    endpoints: [
      new Create({
        url: 'sums',
        modelClass: Sum,
        readableColumnNames: ['amount', 'count'],
        writeableColumnNames: ['amount', 'count'],
      }),
    ],
  },
  everyDatabase,
);

const sum = ({ request }: Subject) => ({ send: () => request().post('/sums') });

contract('MinimumValue and MaximumValue compare all digits of a Decimal', async (subject) => {
  const [least, most] = ['value should be at least 1', 'value should be at most 100'];
  await expectRefused(sum(subject), 'amount', ['"0.999999999999999999"', '0.9', '"-1"'], least);
  await expectRefused(sum(subject), 'amount', ['"100.000000000000000001"', '101'], most);
  await expectAccepted(sum(subject), 'amount', {
    '"1"': '1.000000000000000000',
    '"100.000"': '100.000000000000000000',
  });
});

contract('MinimumValue and MaximumValue compare all digits of a BigInteger', async (subject) => {
  const [least, most] = [
    'value should be at least -10000000000000000',
    'value should be at most 10000000000000000',
  ];
  await expectRefused(sum(subject), 'count', ['"-10000000000000001"'], least);
  await expectRefused(sum(subject), 'count', ['"10000000000000001"'], most);
  await expectAccepted(sum(subject), 'count', {
    '"10000000000000000"': '10000000000000000',
    '"-10000000000000000"': '-10000000000000000',
  });
});
