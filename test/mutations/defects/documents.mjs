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
    name: 'a search by POST is an entry of its own beside the one by GET',
    file: 'libs/openapi/src/docs-page/docs.initializer.ts',
    find: `
        spec: { wrapSelectors: { taggedOperations: withoutTwins } },`,
    replace: '',
    tests: ['contract/docs.page'],
  },
  {
    name: 'an operation is told to be like one of another endpoint',
    file: 'libs/core/src/documentation/operation.twin.ts',
    find: 'isThere(other.toUpperCase() as HttpMethod)',
    replace: 'isThere !== undefined',
    tests: ['contract/schema.twins'],
  },
  {
    name: 'a service describes all of its endpoints at once when it listens',
    file: 'libs/core/src/nest/documentation/application.documentation.ts',
    find: 'if (this.#begun.advance())',
    replace: 'if (this.#begun.finish().advance())',
    tests: ['contract/schema.gaps'],
  },
  {
    name: 'each document warns again of what cannot be documented',
    file: 'libs/core/src/nest/documentation/application.documentation.ts',
    find: 'if (!this.#told.has(warning)) ',
    replace: '',
    tests: ['contract/schema.gaps'],
  },
];
