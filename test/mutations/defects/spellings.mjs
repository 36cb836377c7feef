/** One value in several spellings: as a client, an entity and a row have it. See defects.mjs. */
const many = ['contract/bulk.spelling'];

export const defects = [
  {
    name: 'a text of char(n) is compared without the blanks that the database fills it up with',
    file: 'libs/core/src/model/columns/string.column.ts',
    find: "return blanks === undefined ? this : this.with({ filledTo: blanks === 'fill' ? length : 0 });",
    replace: 'return blanks === undefined || length > 0 ? this : this.with({ filledTo: 0 });',
    tests: many,
  },
  {
    name: 'a 64-bit integer keeps the zeros in front of it',
    file: 'libs/core/src/model/columns/big-integer.column.ts',
    find: 'return /^-?0/.test(text) && digits.test(text) ? String(BigInt(text)) : text;',
    replace: 'return text;',
    tests: many,
  },
  {
    name: 'the largest number of single precision is refused as it is answered',
    file: 'libs/core/src/model/columns/float.column.ts',
    find: "this.precision === 'double' ? value : Math.fround(value)",
    replace: 'Math.abs(value) <= largestSingle ? value : Infinity',
    tests: ['contract/postgresql'],
  },
  {
    name: 'a number of single precision is compared with all of its digits',
    file: 'libs/core/src/model/columns/float.column.ts',
    find: 'return super.keyText(this.toDatabase(value));',
    replace: 'return this.toWire(value);',
    tests: many,
  },
  {
    name: 'a record is looked for by digits that its column does not keep',
    file: 'libs/core/src/kinds/write/upsert/conflict.columns.ts',
    find: 'column.type.toKept(values.get(column))',
    replace: 'values.get(column)',
    tests: many,
  },
  {
    name: 'a decimal number in other words is another one',
    file: 'libs/core/src/model/columns/decimal.column.ts',
    find: 'return plainDecimal(this.numberOf(value));',
    replace: 'return this.toWire(value);',
    tests: many,
  },
  {
    name: 'the history of a record is looked for with the blanks of its key',
    file: 'libs/core/src/sql/row.writer.ts',
    find: 'return type.isText ? String(JSON.parse(type.keyText(key))) : keyText(key);',
    replace: 'return keyText(key);',
    tests: ['contract/changes.widths'],
  },
];
