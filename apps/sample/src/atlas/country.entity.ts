import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns } from '@nest-endpoints/core';
import { City } from './city.entity.js';

const CountrySchema = defineEntity({
  name: 'Country',
  properties: {
    /** ISO 3166-1 alpha-2, `FR`. */
    code: p.string().length(2).primary(),
    name: p.string().length(100),
    region: p.string().length(50).index(),
    /** Empty for the Antarctic ones, which have no subregion. */
    subregion: p.string().length(50),
    capital: p.string().length(100).nullable(),
    /** Square kilometres. */
    area: p.double().nullable(),
    /** ISO 639-3 code → English name, `{ "fra": "French" }`. */
    languages: p.json<Record<string, string>>(),
    cities: () => p.oneToMany(City).mappedBy('country'),
  },
});

export class Country extends CountrySchema.class {}
CountrySchema.setClass(Country);

// What `cities` shows where an endpoint reads it: the five largest.
defineColumns(Country, {
  cities: {
    readableParentColumnNames: ['id', 'name', 'population'],
    sortColumnName: 'population',
    sortDirection: 'DESC',
    limit: 5,
  },
});
