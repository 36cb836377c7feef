import { List } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';
import { ofCountry } from './city.places.js';
import { ReorderCities } from './reorder.cities.js';

const url = 'countries/:code/city-order';

export const cityOrder = [
  new ReorderCities({ url, readableColumnNames: ['id', 'name', 'position'] }),
  new List({
    url,
    modelClass: City,
    readableColumnNames: ['id', 'name', 'position'],
    sortableColumnNames: ['position'],
    defaultSortColumnName: 'position',
    where: [ofCountry, { position: { $ne: null } }],
  }),
];
