import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { expectAccepted, expectRefused } from './judged.js';
import { Parcel, parcels } from './parcel.js';
import type { Subject } from '../support/contract.js';

const Office = defineEntity({
  name: 'Office',
  schema: 'registry',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    headOffice: () => p.manyToOne(Office).nullable(),
  },
});

const { contract } = service(
  {
    entities: [Parcel, Office],
    endpoints: [
      parcels(),
      new RestfulApi({
        url: 'offices',
        modelClass: Office,
        readableColumnNames: ['name', 'headOffice.name'],
        writeableColumnNames: ['name', 'headOfficeId'],
        sortableColumnNames: ['name'],
        searchableColumnNames: ['name'],
        defaultSortColumnName: 'name',
      }),
    ],
  },
  postgresqlOnly,
);

const parcel = ({ request }: Subject) => ({ send: () => request().post('/parcels') });

contract('A Float column of single precision is a number', async (subject) => {
  await expectAccepted(parcel(subject), 'weight', {
    1.5: 1.5,
    0.1: 0.1,
    '-2': -2,
    '1e-60': 0,
    16777217: 16777216,
  });
});

contract('A Float column of single precision refuses what is out of its range', async (subject) => {
  const single = expect.stringMatching(/^value should be between -3\.4\d*e\+?38 and 3\.4\d*e\+?38$/);
  await expectRefused(parcel(subject), 'weight', ['3.4028236e38', '3.5e38', '-3.5e38', '1e300'], single);
});

contract('The bounds of single precision are values, as they are answered, too', async (subject) => {
  await expectAccepted(parcel(subject), 'weight', {
    '3.4028234663852886e38': 3.4028235e38,
    '3.4028235e38': 3.4028235e38,
    '-3.4028235e38': -3.4028235e38,
  });
});

contract(
  'A string property without a length has the one that MikroORM gives its database column',
  async ({ request }) => {
    const { status, body } = await request()
      .post('/offices')
      .send({ name: 'x'.repeat(300) });
    expect([status, body.input_errors.name]).toEqual([400, 'value should be at most 255 characters long']);
  },
);

contract('A table of another schema is read and written', async ({ request, count, save }) => {
  const { id } = await save(Office, { name: 'London' });
  const created = await request().post('/offices').send({ name: 'Bath', head_office_id: id });
  const bath = { name: 'Bath', head_office: { name: 'London' } };
  expectAnswer(created, 201, success(bath));
  expect((await request().get('/offices?name=Bath')).body.data).toEqual([bath]);
  expect(await count(Office)).toBe(2);
});
