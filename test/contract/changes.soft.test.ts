import { setImmediate as immediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { ChangeRecord, Delete, DeleteMany, Purge, Restore, RestfulApi } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { logOf } from './changes.town.js';
import { Crate, crates, Flyer, Shelf, Shop } from './changes.shops.js';
import { Claims } from './claims.js';
import { by } from './soft.towns.js';

const ann = by('ann');

const { contract } = service(
  {
    entities: [Shop, Shelf, Crate, Flyer, ChangeRecord],
    endpoints: [
      new RestfulApi({
        modelClass: Shop,
        url: 'shops',
        readableColumnNames: ['id', 'name'],
        writeableColumnNames: ['name'],
        searchableColumnNames: ['id'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        trash: { purge: true },
        bulk: true,
        authentication: new Claims(),
      }),
      new Delete({ modelClass: Crate, url: 'crates/:id' }),
      new DeleteMany({ modelClass: Crate, url: 'crates' }),
      new Restore({ ...crates, url: 'crates/:id/restore' }),
      new Purge({ modelClass: Crate, url: 'crates/:id/purge', requestMethods: ['POST'] }),
      new Delete({ modelClass: Flyer, url: 'flyers/:id' }),
    ],
  },
  everyDatabase,
);

const forget = ({ em }: Subject) => em().getConnection().execute('delete from change_record');

/** The models, ids and operations of the log, in an order of their own. */
const told = async (subject: Subject) =>
  (await logOf(subject))
    .map(({ model, recordId, operation }) => `${model} ${recordId} ${operation}`)
    .toSorted();

const done = async (answer: PromiseLike<{ readonly status: number }>) =>
  expect((await answer).status).toBe(200);

contract('A deletion by a mark, a Restore and a Purge are told as what they are', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Crate, { name: 'Apples' });
  const { id: other } = await save(Crate, { name: 'Pears' });
  await forget(subject);
  await done(request().delete(`/crates/${id}`));
  await done(request().post(`/crates/${id}/restore`));
  await done(
    request()
      .delete(`/crates`)
      .send({ ids: [id, other] }),
  );
  await done(request().post(`/crates/${id}/purge`));
  const log = await logOf(subject);
  expect(log).toHaveLength(5);
  expect(log.slice(0, 2)).toMatchObject([
    { operation: 'deleted', before: { version: 1 }, after: { version: 2 }, withheld: ['deletedAt'] },
    { operation: 'restored', before: { version: 2 }, after: { version: 3 }, withheld: ['deletedAt'] },
  ]);
  expect(
    log
      .slice(2, 4)
      .map(({ recordId, operation }) => [recordId, operation])
      .toSorted(),
  ).toEqual([String(id), String(other)].toSorted().map((one) => [one, 'deleted']));
  expect(log[4]).toMatchObject({ operation: 'deleted', before: { name: 'Apples', version: 4 }, after: null });
});

contract('Of a column that is sensitive by whatever name the log has no value', async (subject) => {
  const shop = await subject.save(Shop, { name: 'One' });
  await forget(subject);
  await subject.save(Shelf, { label: 'A', shop: shop.id, details: { lock: 'secret' } });
  const [made, ...others] = await logOf(subject);
  expect(others).toEqual([]);
  expect([Object.keys(made?.after ?? {}).toSorted(), made?.withheld?.toSorted()]).toEqual([
    ['deletedAt', 'id', 'label', 'version'],
    ['details', 'shop'],
  ]);
});

contract('What is deleted or restored along is told, as of the same request', async (subject) => {
  const { request, save } = subject;
  const shops = [await save(Shop, { name: 'One' }), await save(Shop, { name: 'Two' })];
  const [one, two] = shops.map(({ id }) => id);
  const shelf = await save(Shelf, { label: 'A', shop: one ?? 0 });
  const second = await save(Shelf, { label: 'B', shop: two ?? 0 });
  await forget(subject);
  await done(
    request()
      .delete(`/shops/${one}`)
      .set({ ...ann, 'X-Request-Id': 'r-1' }),
  );
  expect(await told(subject)).toEqual([`Shelf ${shelf.id} deleted`, `Shop ${one} deleted`]);
  const log = await logOf(subject);
  expect(log.map(({ actor, requestId, endpoint }) => [actor, requestId, endpoint])).toEqual(
    log.map(() => ['|ann', 'r-1', 'Delete /shops/:id']),
  );
  expect(log.find(({ model }) => model === 'Shelf')).toMatchObject({
    before: { deletedAt: null, version: 1 },
    after: { deletedAt: expect.anything(), version: 2 },
  });
  // Of a shop the name is recorded, and the mark.
  expect(log.find(({ model }) => model === 'Shop')?.before).toEqual({ deletedAt: null });
  await forget(subject);
  await done(request().post(`/shops/trash/${one}/restore`).set(ann));
  expect(await told(subject)).toEqual([`Shelf ${shelf.id} restored`, `Shop ${one} restored`]);
  await forget(subject);
  await done(
    request()
      .delete('/shops/bulk')
      .set(ann)
      .send({ ids: [one, two] }),
  );
  expect(await told(subject)).toEqual(
    [`Shelf ${shelf.id}`, `Shelf ${second.id}`, `Shop ${one}`, `Shop ${two}`].map(
      (name) => `${name} deleted`,
    ),
  );
  await forget(subject);
  await done(request().delete(`/shops/trash/${one}`).set(ann));
  expect(await logOf(subject)).toMatchObject([{ model: 'Shop', operation: 'deleted', after: null }]);
});

contract('Nothing is deleted along where the log cannot be written', async (subject) => {
  const { request, save, em } = subject;
  const shop = await save(Shop, { name: 'One' });
  await save(Shelf, { label: 'A', shop: shop.id });
  await em().getConnection().execute('alter table change_record rename to change_record_away');
  try {
    expect((await request().delete(`/shops/${shop.id}`).set(ann)).status).toBe(500);
  } finally {
    await em().getConnection().execute('alter table change_record_away rename to change_record');
  }
  const left = em().fork();
  expect((await left.findOneOrFail(Shop, { id: shop.id })).deletedAt).toBeNull();
  expect((await left.findOneOrFail(Shelf, { shop: shop.id })).deletedAt).toBeNull();
});

contract('What the sweep purges is told, as nobody’s change', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Flyer, { text: 'Now' });
  await forget(subject);
  await done(request().delete(`/flyers/${id}`));
  // A sweep comes every second.
  while ((await subject.count(Flyer)) > 0) await immediate();
  expect(await logOf(subject)).toMatchObject([
    { recordId: String(id), operation: 'deleted', endpoint: 'Delete /flyers/:id' },
    { recordId: String(id), operation: 'deleted', before: { text: 'Now' }, after: null, endpoint: null },
  ]);
});
