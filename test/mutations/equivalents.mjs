/**
 * Mutants that do the same as the code, each with the `reason`: they are not counted. They are told by their `file` and by
 * what they change: `within` is the function, `original` what stands there, `text` what the mutant has there.
 */
export const equivalents = [
  {
    file: 'libs/core/src/records/direct/write.statement.ts',
    within: 'WriteStatement.#alike.()',
    original: '0',
    text: '1',
    reason: 'only comparisons with lists ask for the length of one, and this one is with a value',
  },
  {
    file: 'libs/core/src/records/idempotency/kept.answers.ts',
    within: 'KeptAnswers.#in',
    original: 'this.#statements.size >= keptSchemas',
    text: '!(this.#statements.size >= keptSchemas)',
    reason: 'statements that were let go are written again, with the same text',
  },
  {
    file: 'libs/core/src/records/replicas/wal.position.ts',
    within: 'positionOf',
    original: "databaseCode(error) ?? ''",
    text: 'databaseCode(error)',
    reason: 'the pattern takes undefined for the text `undefined`, which is none of its codes either',
  },
  {
    file: 'libs/core/src/records/row.layout.ts',
    within: 'RowLayout.at',
    original: '1',
    text: '(1 + 1)',
    reason: 'rows have nothing at any negative place',
  },
  {
    file: 'libs/core/src/records/row.layout.ts',
    within: 'RowLayout.at',
    original: 'this.#positions.get(text) ?? -1',
    text: 'this.#positions.get(text)',
    reason: 'rows have nothing under the name `undefined` either',
  },
  {
    file: 'libs/core/src/stages/record.description.ts',
    within: 'lookupRefusals',
    original: "['notFound']",
    text: '[]',
    reason: 'whatever is looked up has a path parameter, and documents say Not Found of every path with one',
  },
  {
    file: 'libs/auth/src/keys/key.reader.ts',
    within: 'keyReader.()',
    original: 'false',
    text: 'true',
    reason: 'the cache and the limiter of jwks-rsa stand before getSigningKey, which nobody asks',
  },
  {
    file: 'libs/core/src/stages/record.writes.ts',
    within: 'recordWrites',
    original: 'judge ?? unjudged',
    text: 'judge',
    reason: 'only a Delete has no judge, and a unit of work that deletes asks none',
  },
  {
    file: 'libs/auth/src/jwks.strategy.ts',
    within: 'JwksStrategy.constructor',
    original: "headers.authorization ?? ''",
    text: 'headers.authorization',
    reason: 'a pattern takes undefined for the text `undefined`, which is no bearer token either',
  },
  {
    file: 'libs/migrations/src/gate/allowed.table.changes.ts',
    within: '',
    original: 'true',
    text: 'false',
    reason: 'the table is asked for its keys alone',
  },
  {
    file: 'libs/migrations/src/gate/plain.sql.ts',
    within: 'PlainSql.#string',
    original: '<',
    text: '<=',
    reason: 'there is no character behind the last one, and whatever is behind it ends the walk',
  },
];
