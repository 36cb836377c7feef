import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  Delete,
  Get,
  Purge,
  Restore,
  RestfulApi,
  softDelete,
  type SoftDeleteOptions,
} from '@nest-endpoints/core';
import { stopped } from './stopped.js';

const Child = defineEntity({
  name: 'Child',
  properties: {
    id: p.integer().primary().autoincrement(),
    deletedAt: p.datetime().nullable(),
    pen: () => p.manyToOne(Pen).deleteRule('cascade'),
  },
});

const Pen = defineEntity({
  name: 'Pen',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().unique(),
    day: p.date().nullable(),
    deletedAt: p.datetime().nullable(),
    made: p.datetime(),
    children: () => p.oneToMany(Child).mappedBy('pen'),
  },
});

test.each<[Partial<SoftDeleteOptions<'day' | 'deletedAt' | 'made' | 'name' | 'children'>>, RegExp]>([
  [{ columnName: 'gone' as never }, /columnName: 'gone' is no column of Pen/],
  [{ columnName: 'made' }, /columnName: 'made' is no date with a time that may be null/],
  [{ columnName: 'day' }, /columnName: 'day' is no date with a time that may be null/],
  [{ columnName: 'name' }, /columnName: 'name' is no date with a time that may be null/],
  [{ byColumnName: 'name' }, /byColumnName: 'name' is no column of its own that may be null/],
  [
    {},
    /children: say what becomes of 'children', whose foreign key says 'cascade'; allowed: refuse, cascade, keep/,
  ],
  [
    { children: { children: 'cascade' } },
    /children: 'children' cannot cascade: Child is not deleted by a mark/,
  ],
  [{ children: { name: 'keep' } }, /children: no records refer to Pen by 'name'/],
])('softDelete(…, %j) stops the start', async (options, message) => {
  softDelete(Pen, { columnName: 'deletedAt', ...options } as never);
  const made = () =>
    new Create({
      modelClass: Pen,
      url: 'pens',
      readableColumnNames: ['id'],
      writeableColumnNames: ['name', 'made'],
    });
  expect(await stopped(made, { entities: [Pen, Child] })).toMatch(message);
});

test('Kinds of a trash stop the start where nothing is in one, and where a value is not one record’s', async () => {
  softDelete(Pen, { columnName: 'deletedAt', children: { children: 'keep' } });
  const shown = { modelClass: Child, readableColumnNames: ['id'] } as const;
  const pens = { modelClass: Pen, readableColumnNames: ['id'] } as const;
  const byName = { ...pens, recordLookupColumnName: 'name' } as const;
  const missing = /records of Child are deleted for good: say softDelete\(Child/;
  const several = /recordLookupColumnName: several deleted records may have the same 'name'/;
  for (const [make, message] of [
    [() => new Restore({ ...shown, url: 'a/:id' }), missing],
    [() => new Purge({ modelClass: Child, url: 'a/:id' }), missing],
    [() => new Get({ ...shown, url: 'a/:id', records: 'all' }), missing],
    [() => new Get({ ...byName, url: 'a/:name', records: 'deleted' }), several],
    [() => new Restore({ ...byName, url: 'a/:name' }), several],
    [() => new Purge({ modelClass: Pen, url: 'a/:name', recordLookupColumnName: 'name' }), several],
    [
      () => new Create({ ...pens, url: 'a', writeableColumnNames: ['name', 'made', 'deletedAt'] }),
      /writeableColumnNames: 'deletedAt' cannot be written: Delete and Restore write it/,
    ],
    [
      () => new Delete({ modelClass: Pen, url: 'a/:id', records: 'all' } as never),
      /records: is no option here/,
    ],
  ] as const)
    expect(await stopped(make, { entities: [Pen, Child] })).toMatch(message);
});

/** Called by a text, which may be the segment of the trash. */
const Named = defineEntity({
  name: 'Named',
  properties: { id: p.string().primary(), deletedAt: p.datetime().nullable() },
});
softDelete(Named, { columnName: 'deletedAt' });

test('A trash whose segment may be a record stops the start until it is named', async () => {
  const api = (trash: boolean | { readonly url: string }) => () =>
    new RestfulApi({
      url: 'named',
      modelClass: Named,
      readableColumnNames: ['id'],
      writeableColumnNames: ['id'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      trash,
    });
  expect(await stopped(api(true), { entities: [Named] })).toMatch(
    /trash.url: a record may have 'trash' as its id; name the segment, e.g. '~trash'/,
  );
  expect(await stopped(api({ url: '~trash' }), { entities: [Named] })).toBe('Error: the application started');
});
