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
];
