import { RestfulApi } from '@nest-endpoints/core';
import { Team } from './team.entity.js';

export const teamEndpoints = [
  new RestfulApi({
    url: 'teams',
    modelClass: Team,
    readableColumnNames: ['id', 'name'],
    writeableColumnNames: ['name'],
    sortableColumnNames: ['id', 'name'],
    searchableColumnNames: ['id', 'name'],
    defaultSortColumnName: 'name',
  }),
];
