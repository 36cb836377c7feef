/** Each place where an import could keep what it must not, or an export show it twice or to a program. See defects.mjs. */
const transfer = (name) => `libs/core/src/kinds/transfer/${name}`;

export const defects = [
  {
    name: 'import: an atomic import keeps its good lines',
    file: transfer('import.run.ts'),
    find: 'if (isDryRun || !this.#isSound) throw new Undone();',
    replace: 'if (isDryRun) throw new Undone();',
    tests: ['contract/import'],
  },
  {
    name: 'import: a dry run keeps what it wrote',
    file: transfer('import.run.ts'),
    find: 'if (!isWhole && !isDryRun) {',
    replace: 'if (!isWhole) {',
    tests: ['contract/import'],
  },
  {
    name: 'import: bytes that are no text become other text',
    file: transfer('utf8.chunks.ts'),
    find: 'if (!isUtf8(whole)) throw notUtf8();',
    replace: '',
    tests: ['contract/import.bodies'],
  },
  {
    name: 'import: a body may have any length',
    file: transfer('import.lines.ts'),
    find: 'if (count > maximumBytes) throw',
    replace: 'if (count < 0) throw',
    tests: ['contract/import.bodies'],
  },
  {
    name: 'import: the body is read before the guards',
    file: 'libs/core/src/http/admission/reception.ts',
    find: 'if (endpoint?.streamsBody === true) {',
    replace: 'if (endpoint?.streamsBody === undefined) {',
    tests: ['contract/import.bodies'],
  },
  {
    name: 'export: formulas reach spreadsheets',
    file: transfer('csv.cells.ts'),
    find: 'isEscaped && isFormula(text)',
    replace: 'isFormula(formulas)',
    tests: ['contract/export'],
  },
  {
    name: 'import: a page of any site says what its body is in the query string',
    file: transfer('transfer.format.ts'),
    find: ' && !ofAnySite.has(mediaType)',
    replace: '',
    tests: ['contract/import', 'contract/input.content-type'],
  },
  {
    name: 'export: numbers that JSON has as text are taken for formulas',
    file: transfer('csv.cells.ts'),
    find: ' && !isNumber;',
    replace: ';',
    tests: ['contract/export'],
  },
  {
    name: 'export: a record that moves between pages is in it twice',
    file: transfer('export.ts'),
    find: 'snapshot || sorts.some(',
    replace: 'snapshot && sorts.some(',
    tests: ['contract/export'],
  },
  {
    name: 'export: a break of a line in a cell ends the record',
    file: transfer('export.form.ts'),
    find: 'quoted_match: breaks,',
    replace: '',
    tests: ['contract/export'],
  },
  {
    name: 'export: pages after the first are read without policies',
    file: transfer('export.pages.ts'),
    find: 'session.hasPolicies && !session.isInTransaction',
    replace: 'session.hasPolicies && session.isInTransaction',
    tests: ['contract/import.visibility'],
  },
];
