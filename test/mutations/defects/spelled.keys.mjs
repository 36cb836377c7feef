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
    find: 'seen.has(textOf(type.keyText(type.toDatabase(type.toKept(key)))))',
    replace: 'seen.has(textOf(type.toWire(type.toDatabase(type.toKept(key)))))',
    tests: ['contract/spelled.keys'],
  },
  {
    name: 'a path that would be rounded is another record through MikroORM',
    file: 'libs/core/src/records/writes/record.writer.ts',
    find: 'if (!hasRoom(lookup.type, value)) return undefined;',
    replace: '',
    tests: ['contract/spelled.keys'],
  },
  {
    name: 'a number that JSON has not is a text',
    file: `libs/client/src/records/column.values.ts`,
    find: "  if (allowsType(schema, 'string')) throw new TypeError(`JSON has no ${String(value)}`);\n",
    replace: '',
    tests: ['contract/front-ends.writes'],
  },
];
