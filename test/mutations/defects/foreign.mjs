/** Columns of types that only the database knows. See defects.mjs. */
const foreign = ['contract/columns.foreign'];

export const defects = [
  {
    name: 'an offset with seconds is no instant',
    file: 'libs/core/src/model/values/instant.ts',
    find: '(?::?(\\d{2})(?::?(\\d{2}))?)?)?$/;',
    replace: '(?::?(\\d{2}))?)?$/;',
    tests: ['contract/session.writing'],
  },
  {
    name: 'a session may write dates as it likes',
    file: 'libs/core/src/database/pool/session.check.ts',
    find: 'if (isRight(value)) continue;',
    replace: 'if (value !== null) continue;',
    tests: ['contract/session.writing'],
  },
  {
    name: 'a json text that jsonb refuses is cast to it',
    file: 'libs/core/src/sql/json/json.sql.ts',
    find: 'readable(column)',
    replace: '`${column}::jsonb`',
    tests: ['contract/columns.beyond'],
  },
  {
    name: 'a pattern meets the collation of a column',
    file: 'libs/core/src/sql/dialect.ts',
    find: 'isLooseCollation(property.collation) ?',
    replace: 'isLooseCollation(undefined) ?',
    tests: ['contract/columns.collation'],
  },
  {
    name: 'an interval in words is stored as no time at all',
    file: 'libs/core/src/metadata/entity.value.ts',
    find: "if (type.isText && runtimeType === 'string') return given;",
    replace: '',
    tests: foreign,
  },
  {
    name: 'a text pattern is compared with what is no text',
    file: 'libs/core/src/sql/comparison.ts',
    find: 'return member === undefined ? dialect.asPatternText(expression, property) : expression;',
    replace: 'return expression;',
    tests: foreign,
  },
  {
    name: 'a pattern is compared with a network beside the address',
    file: 'libs/core/src/sql/dialect.ts',
    find: 'return /^inet$/i.test(type) ? `abbrev(${expression})` : this.asText(expression);',
    replace: 'return this.asText(expression);',
    tests: foreign,
  },
  {
    name: 'a value that a type refuses for its syntax fails the request',
    file: 'libs/core/src/database/errors/database.error.ts',
    find: ' || (valueAlone.test(code) && isOfParameter(error))',
    replace: '',
    tests: foreign,
  },
  {
    name: 'a value in the text of a statement that a type refuses for its syntax fails the request',
    file: 'libs/core/src/records/writes/write.blame.ts',
    find: 'reason === undefined && mayBeOfForeignValue(error)',
    replace: 'reason === undefined && mayBeOfForeignValue(undefined)',
    tests: foreign,
  },
];
