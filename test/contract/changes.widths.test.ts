import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { ChangeRecord, recordChanges, RestfulApi, softDelete } from '@nest-endpoints/core';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';

const Land = defineEntity({
  name: 'Land',
  properties: {
    code: p.character().length(2).primary(),
    name: p.string(),
    deletedAt: p.datetime(3).nullable(),
  },
});
softDelete(Land, { columnName: 'deletedAt', children: {} });
recordChanges(Land, { keepFor: 'forever' });

const Mask = defineEntity({
  name: 'Mask',
  properties: { bits: p.string().columnType('bit(4)').primary(), name: p.string() },
});
recordChanges(Mask, { keepFor: 'forever' });

const { contract } = service(
  {
    entities: [Land, Mask, ChangeRecord],
    endpoints: [
      new RestfulApi({
        url: 'lands',
        modelClass: Land,
        readableColumnNames: ['code', 'name'],
        writeableColumnNames: ['code', 'name'],
        searchableColumnNames: ['name'],
        sortableColumnNames: ['code'],
        defaultSortColumnName: 'code',
        trash: true,
        history: true,
      }),
    ],
  },
  postgresqlOnly,
);

/** What the log says, in its order. */
const told = async ({ em }: Subject): Promise<readonly object[]> =>
  em().getConnection().execute<object[]>('select record_id, operation, after from change_record order by id');

contract('Changes of records whose key is char(n) are recorded', async (subject) => {
  const { request } = subject;
  await request().post('/lands').send({ code: 'FR', name: 'France' });
  await request().patch('/lands/FR').send({ name: 'la France' });
  await request().delete('/lands/FR');
  await request().post('/lands/trash/FR/restore');
  const of = (operation: string) => ({ record_id: 'FR', operation });
  expect(await told(subject)).toMatchObject([
    { ...of('created'), after: { code: 'FR', name: 'France' } },
    { ...of('updated'), after: { name: 'la France' } },
    of('deleted'),
    of('restored'),
  ]);
});

contract('Flushes of services tell of records whose key is char(n) or bit(n)', async (subject) => {
  const em = subject.em();
  const land = em.create(Land, { code: 'DE', name: 'Germany' });
  const mask = em.create(Mask, { bits: '1010', name: 'even' });
  await em.flush();
  land.name = 'Deutschland';
  mask.name = 'odd';
  await em.flush();
  em.remove(mask);
  await em.flush();
  const all = await told(subject);
  expect(all).toHaveLength(5);
  for (const one of [
    { record_id: 'DE', operation: 'updated', after: { name: 'Deutschland' } },
    { record_id: '1010', operation: 'updated', after: { name: 'odd' } },
    { record_id: '1010', operation: 'deleted' },
  ])
    expect(all).toContainEqual(expect.objectContaining(one));
});

contract(
  'The history of a record whose key is shorter than char(n) is found, whoever wrote it',
  async (subject) => {
    const { request } = subject;
    await request().post('/lands').send({ code: 'I', name: 'Italy' });
    await request().patch('/lands/I').send({ name: 'Italia' });
    const em = subject.em();
    (await em.findOneOrFail(Land, { name: 'Italia' })).name = "l'Italia";
    await em.flush();
    expect(await told(subject)).toMatchObject([{ record_id: 'I' }, { record_id: 'I' }, { record_id: 'I' }]);
    for (const url of ['/lands/I/history', '/lands/I%20/history'])
      expect(await request().get(url)).toMatchObject({
        status: 200,
        body: { data: [{ operation: 'updated' }, { operation: 'updated' }, { operation: 'created' }] },
      });
    await request().delete('/lands/I');
    expect(await told(subject)).toHaveLength(4);
  },
);
