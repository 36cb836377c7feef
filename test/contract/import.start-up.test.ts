import { expect, test } from '@jest/globals';
import { Import, type ImportOptions } from '@nest-endpoints/core';
import { stopped } from './stopped.js';
import { Item } from './upserted.stock.js';

test('Records are told by the columns of one unique constraint, else the start stops', async () => {
  const why = (options: Partial<ImportOptions<Item>>): Promise<string> =>
    stopped(
      () =>
        new Import<Item>({
          modelClass: Item,
          url: 'bad',
          writeableColumnNames: ['code', 'name'],
          ...options,
        }),
      {
        entities: [Item],
      },
    );
  expect([
    await why({ onConflict: 'update' }),
    await why({ conflictColumnNames: ['code'] }),
    await why({ onConflict: 'ignore', conflictColumnNames: ['name'] }),
  ]).toEqual([
    expect.stringContaining("onConflict: 'update' needs conflictColumnNames"),
    expect.stringContaining("conflictColumnNames: need onConflict: 'update' or 'ignore'"),
    expect.stringContaining('name are not the columns of one unique constraint'),
  ]);
});
