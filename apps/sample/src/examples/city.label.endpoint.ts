import { Get } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

export const getLabel = new Get({
  url: 'labels/:id',
  modelClass: City,
  readableColumnNames: ['name', 'country.name'],
  outputMap: ({ record, entity }) => ({ Label: record.name, people: entity.population }),
});
