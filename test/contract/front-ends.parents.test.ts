import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { EndpointsClient } from '@nest-endpoints/client';
import { AdvancedSearch, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { endpointsProvider } from '@nest-endpoints/react-admin';
import { endpointsProvider as refineProvider } from '@nest-endpoints/refine';
import { once, service, type Subject } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { recorded } from './front-ends.world.js';

/** A parent that is hidden once it is secret. */
const Country = defineEntity({
  name: 'Country',
  properties: {
    code: p.string().length(2).primary(),
    name: p.string().length(40),
    isSecret: p.boolean().default(false),
  },
  filters: { known: { name: 'known', cond: { isSecret: false }, default: true } },
});

/** A record without a version. */
const City = defineEntity({
  name: 'City',
  properties: {
    id: p.integer().primary(),
    title: p.string().length(40),
    country: () => p.manyToOne(Country).ref().nullable(),
  },
});

const cities = {
  modelClass: City,
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id', 'title'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Country, City],
    endpoints: [
      new Schema({ url: 'schema', schemaConfiguration: licensed, wholeApplication: true }),
      new AdvancedSearch({
        ...{ ...cities, url: 'cities/search' },
        readableColumnNames: ['id', 'title', 'country.name'],
      }),
      new RestfulApi({
        ...{ ...cities, url: 'cities', clientSelectsColumns: true },
        readableColumnNames: ['id', 'title', 'country.code', 'country.name'],
        writeableColumnNames: ['title', 'countryCode'],
      }),
    ],
  },
  once,
);

/** A city in France, and one in a country that nobody sees. */
const two = async ({ save }: Subject): Promise<void> => {
  await save(Country, { code: 'FR', name: 'France' });
  await save(Country, { code: 'XX', name: 'Hidden', isSecret: true });
  await save(City, { id: 1, title: 'Nice', country: 'FR' });
  await save(City, { id: 2, title: 'Area 51', country: 'XX' });
};

const countryOf = async ({ em }: Subject, id: number): Promise<unknown> =>
  (await em().findOneOrFail(City, { id }, { filters: false })).country?.code;

contract('A parent that is shown without its key has no key, and stays', async (subject) => {
  await two(subject);
  const records = await new EndpointsClient(subject.url).records('cities');
  const { record } = await records.get(1, { fields: ['title', 'country.name'] });
  expect(record).toEqual({ id: 1, title: 'Nice', country: { name: 'France' } });
  await records.update(1, { ...record, title: 'Nizza' });
  await records.update(1, { ...record, title: 'Nissa' }, { previous: record });
  expect(await countryOf(subject, 1)).toBe('FR');
  const conditions = [{ column: 'title', operator: 'contains', value: 'Niss' }];
  const { records: found } = await records.list({ conditions });
  expect(found).toEqual([{ id: 1, title: 'Nissa', country: { name: 'France' } }]);
});

contract('A parent that nobody may see stays when a whole form is sent', async (subject) => {
  await two(subject);
  const { fetch, sent } = recorded();
  const refine = refineProvider({ url: subject.url, fetch });
  const resource = 'cities';
  const { data: shown } = await refine.getOne({ resource, id: 2 });
  expect(shown).toMatchObject({ country: null, country_code: null });
  await refine.update({ resource, id: 2, variables: { ...shown, title: 'Dreamland' } });
  expect(sent.at(-1)?.body).toEqual({ title: 'Dreamland' });
  const { getList, update } = endpointsProvider({ url: subject.url, fetch });
  const { data: rows } = await getList(resource, { filter: { id: 2 } });
  const [previousData = { id: 2 }] = rows;
  // One that changes nothing, and those that say less of what they have shown.
  await update(resource, { id: 2, data: previousData, previousData });
  await update(resource, { id: 2, data: { ...previousData, title: 'Ranch' }, previousData });
  await update(resource, { id: 2, data: { country_code: null, title: 'Lake' }, previousData: { id: 2 } });
  expect(await countryOf(subject, 2)).toBe('XX');
  const { data: nice } = await refine.getOne({ resource, id: 1 });
  await refine.update({ resource, id: 1, variables: { ...nice, country_code: null } });
  expect(await countryOf(subject, 1)).toBeUndefined();
  // What was taken away is shown as null from then on, and can be given.
  await refine.update({ resource, id: 1, variables: { country_code: 'FR' } });
  expect(await countryOf(subject, 1)).toBe('FR');
});
