/** Documents, and names on the wire. See defects.mjs. */
export const defects = [
  {
    name: 'YAML is not told from JSON',
    file: 'libs/openapi/src/served.document.ts',
    find: 'application/yaml',
    replace: 'application/yam',
    tests: ['contract/schema'],
  },
  {
    name: 'request_data of columns has external names',
    file: 'libs/core/src/kinds/callable/callable.input.ts',
    find: '    return input.requestData();',
    replace: '    return Object.fromEntries(request.requiredJsonObject());',
    tests: ['contract/callable.casing'],
  },
  {
    name: 'return_records documents a single record',
    file: 'libs/core/src/kinds/callable/callable.description.ts',
    find: 'if (returnRecords) return',
    replace: 'if (!returnRecords) return',
    tests: ['contract/schema.kinds'],
  },
  {
    name: 'a document is written anew for each request',
    file: 'libs/openapi/src/served.document.ts',
    find: `    if (known !== undefined) return known;
`,
    replace: '',
    tests: ['contract/schema.speed'],
  },
  {
    name: 'a document is built anew for each request',
    file: 'libs/openapi/src/document.source.ts',
    find: 'if (made?.routes !== routes) {',
    replace: 'if (made?.routes !== null) {',
    tests: ['contract/schema.speed'],
  },
  {
    name: 'a slash in a name leads inside of a member',
    file: 'libs/core/src/wire/plain.writer.ts',
    find: ".replaceAll('/', '~1')",
    replace: '',
    tests: ['contract/answers.problems'],
  },
  {
    name: 'a dot in the name of a member leads inside',
    file: 'libs/core/src/request/list.parameters.ts',
    find: 'throw new InvalidInput(complaints, true);',
    replace: 'throw new InvalidInput(complaints);',
    tests: ['contract/answers.problems'],
  },
  {
    name: 'a link has what no header may have',
    file: 'libs/core/src/wire/page.links.ts',
    find: 'pair.replaceAll(unsafe, encodeURIComponent)',
    replace: 'pair.replaceAll(unsafe, (sign) => sign)',
    tests: ['contract/answers.pages'],
  },
  {
    name: 'a Get that ends with a word is the place of a record',
    file: 'libs/core/src/kinds/write/record.place.ts',
    find: "if (last === undefined || !('parameter' in last) || last.parameter !== name) continue;",
    replace: '',
    tests: ['contract/answers.location'],
  },
  {
    name: 'a replay does not say where its record is',
    file: 'libs/core/src/kinds/write/idempotency.ts',
    find: 'place?.ofKept(request, first)',
    replace: 'undefined',
    tests: ['contract/answers.location'],
  },
];
