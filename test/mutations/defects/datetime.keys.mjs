/** Keys that are instants. See defects.mjs. */
export const defects = [
  {
    name: 'a key that is an instant is as coarse as what is written of it',
    file: 'libs/core/src/model/model.ts',
    find: 'column: exactKey(idColumn) }',
    replace: 'column: idColumn }',
    tests: ['contract/datetime.keys'],
  },
  {
    name: 'of records that MikroORM takes for one the last alone is written',
    file: 'libs/core/src/records/writes/record.staging.ts',
    find: 'new Set(times).size < times.length',
    replace: 'new Set(times).size > times.length',
    tests: ['contract/datetime.keys'],
  },
  {
    name: 'a foreign key that is an instant is written with every flush',
    file: 'libs/core/src/database/em/told.changes.ts',
    find: 'new Date(platform.parseDate(text)).getTime() === value.getTime()',
    replace: 'false',
    tests: ['contract/datetime.keys'],
  },
];
