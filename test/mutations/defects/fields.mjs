/** Selections of clients that show, read or keep what they must not. See defects.mjs. */
export const defects = [
  {
    name: 'fields: what was not selected is shown',
    file: 'libs/core/src/query/selection.units.ts',
    find: '((this.#bits.get(name) ?? noUnits) & units) === noUnits ? [] : [member]',
    replace: '[member]',
    tests: ['contract/fields', 'contract/fields.statements'],
  },
  {
    name: 'fields: what is includable is shown to everybody',
    file: 'libs/core/src/kinds/record/selectable.output.ts',
    find: 'const usual = units.of(readable);',
    replace: 'const usual = units.all;',
    tests: ['contract/fields', 'contract/fields.start-up'],
  },
  {
    name: 'fields: a statement of one selection answers another',
    file: 'libs/core/src/kinds/record/selectable.output.ts',
    find: 'this.#statements.part(String((this.#count += 1)))',
    replace: 'this.#statements',
    tests: ['contract/fields', 'contract/fields.property'],
  },
  {
    name: 'fields: every selection is kept',
    file: 'libs/core/src/kinds/record/selectable.output.ts',
    find: 'const keptSelections = 32;',
    replace: 'const keptSelections = 320_000;',
    tests: ['contract/fields.memory'],
  },
  {
    name: 'fields: a selection is prepared the first time',
    file: 'libs/core/src/sql/statement.cache.ts',
    find: 'return new StatementCache(this.kept, `${this.prefix}${use}\\n`, 0);',
    replace: 'return new StatementCache(this.kept, `${this.prefix}${use}\\n`);',
    tests: ['contract/fields.memory'],
  },
  {
    name: 'fields: the tag of an answer with a parent is the version alone',
    file: 'libs/core/src/kinds/record/entity.tags.ts',
    find: 'return new EntityTags(version, shown, !isRenamed && shown.every(isOwn), isRenamed);',
    replace: 'return new EntityTags(version, shown, !isRenamed, isRenamed);',
    tests: ['contract/fields'],
  },
  {
    name: 'fields: a word that is off is read over',
    file: 'libs/core/src/request/selection.parameters.ts',
    find: "      if (this.selectable[word] === undefined)\n        throw new BadRequest(`Unknown parameter '${name}' in the query string`);\n",
    replace: '      if (this.selectable[word] === undefined) continue;\n',
    tests: ['contract/fields'],
  },
  {
    name: 'fields: a column takes the name of a word',
    file: 'libs/core/src/request/selection.parameters.ts',
    find: 'if (word === undefined || this.selectable[word] === undefined) continue;',
    replace: 'if (word === undefined || columnName !== "") continue;',
    tests: ['contract/fields.start-up'],
  },
];
