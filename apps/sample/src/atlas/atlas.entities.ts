import { defineEntity, p } from '@mikro-orm/core';
import {
  defineColumns,
  FullTextColumn,
  MaximumValue,
  MinimumValue,
  PointColumn,
  SimilarColumn,
  VirtualColumns,
} from '@nest-endpoints/core';

// A country has cities and a city has a country, so they share a file.

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

const CitySchema = defineEntity({
  name: 'City',
  properties: {
    /** The GeoNames id for the cities that were loaded; the ones made here count on from the highest. */
    id: p.integer().primary().autoincrement(),
    name: p.string().length(200),
    population: p.integer(),
    latitude: p.double(),
    longitude: p.double(),
    country: () => p.manyToOne(Country).ref().index(),
    /** Where it stands among the cities of its country that somebody has put in order. */
    position: p.integer().nullable(),
    created: p.datetime().onCreate(() => new Date()),
    updated: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
  // Lists break ties by the id: with it in the index, a page is read off the index and nothing is sorted.
  indexes: [
    { properties: ['name', 'id'] },
    { properties: ['population', 'id'] },
    // The largest cities of each country are read off this one.
    { properties: ['country', 'population'] },
    { properties: ['latitude', 'id'] },
    { properties: ['longitude', 'id'] },
    { properties: ['position', 'id'] },
  ],
});

export class City extends CitySchema.class {
  [VirtualColumns]?: 'words' | 'like' | 'place';
}
CitySchema.setClass(City);

defineColumns(City, {
  population: { validators: [new MinimumValue(0)] },
  latitude: { validators: [new MinimumValue(-90), new MaximumValue(90)] },
  longitude: { validators: [new MinimumValue(-180), new MaximumValue(180)] },
  // Columns that are only searched: words of the name, names that are written nearly so, and places within a circle.
  words: { type: new FullTextColumn({ of: 'name', configuration: 'simple', prefix: true }) },
  like: { type: new SimilarColumn({ of: 'name', threshold: 0.5 }) },
  place: { type: new PointColumn({ latitude: 'latitude', longitude: 'longitude' }) },
});
