import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Facets } from '@nest-endpoints/core';
import { during } from '../support/during.js';
import type { ApplicationOptions } from '../support/application.js';

/** A collation takes capital letters for small ones, so that PostgreSQL 17 compares no pattern with it. */
const Station = defineEntity({
  name: 'Station',
  properties: { id: p.integer().primary(), name: p.string().collation('any_case') },
});

const options: ApplicationOptions = {
  entities: [Station],
  tables: async (orm) => {
    const collation = "(provider = icu, locale = 'und-u-ks-level2', deterministic = false)";
    await orm.em.getConnection().execute(`create collation any_case ${collation}`);
    await orm.schema.create();
  },
  endpoints: [
    new AdvancedSearch({
      url: 'stations',
      modelClass: Station,
      readableColumnNames: ['id'],
      searchableColumnNames: ['name'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
    new Facets({ url: 'facets', modelClass: Station, facetColumnNames: ['name'] }),
  ],
};

test('A text under a collation that takes other letters for the same is found by its parts', async () => {
  await during(options, async (application) => {
    const { request } = application;
    const em = application.em();
    for (const [id, name] of ['Ab', 'bC', 'cd'].entries()) em.create(Station, { id, name });
    await em.flush();
    const found = async (operator: string, value: string) =>
      (
        (
          await request()
            .post('/stations')
            .send({ where: [{ column: 'name', operator, value }] })
        ).body.data as { id: number }[]
      ).map(({ id }) => id);
    expect(await found('contains', 'B')).toEqual([0, 1]);
    expect(await found('starts with', 'a')).toEqual([0]);
    expect(await found('ends with', 'D')).toEqual([2]);
    expect(await found('like', '%b%')).toEqual([0, 1]);
    expect(await found('=', 'AB')).toEqual([0]);
    const { body } = await request().get('/facets?facets=name&starts_with=B');
    expect(body.data).toEqual({ name: [{ value: 'bC', count: 1 }] });
  });
});
