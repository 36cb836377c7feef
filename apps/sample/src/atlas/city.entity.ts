import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns, MaximumValue, MinimumValue } from '@nest-endpoints/core';
import { Country } from './country.entity.js';

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
  ],
});

export class City extends CitySchema.class {}
CitySchema.setClass(City);

defineColumns(City, {
  population: { validators: [new MinimumValue(0)] },
  latitude: { validators: [new MinimumValue(-90), new MaximumValue(90)] },
  longitude: { validators: [new MinimumValue(-180), new MaximumValue(180)] },
});
