/** Keys that are spelled in several ways. See defects.mjs. */
export const defects = [
  {
    name: 'spelled: a value that must be the own one must be spelled like it',
    file: 'libs/core/src/request/input.rules.ts',
    find: 'column.type.keyText(column.type.toDatabase(sent)) === column.type.keyText(column.type.toDatabase(value))',
    replace:
      'column.type.toWire(column.type.toDatabase(sent)) === column.type.toWire(column.type.toDatabase(value))',
    tests: ['contract/spelled.keys'],
  },
  {
    name: 'spelled: an Idempotency-Key is one for each spelling of the path',
    file: 'libs/core/src/kinds/write/canonical.path.ts',
    find: 'const key = type.keyText(type.toDatabase(value));',
    replace: 'const key = type.toWire(type.toDatabase(value));',
    tests: ['contract/spelled.keys'],
  },
  {
    name: 'spelled: a record that is referred to must be spelled as it is written',
    file: 'libs/core/src/records/record.questions.ts',
    find: 'seen.has(textOf(type.keyText(type.toDatabase(key))))',
    replace: 'seen.has(textOf(type.toWire(type.toDatabase(key))))',
    tests: ['contract/spelled.keys'],
  },
];
