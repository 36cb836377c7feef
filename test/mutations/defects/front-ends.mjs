/** The client of front ends and the data providers that stand on it. See defects.mjs. */
const client = 'libs/client/src';
const providers = ['contract/front-ends.react-admin'];

export const defects = [
  {
    name: 'an id that is two dots leads to another address',
    file: `${client}/records/record.path.ts`,
    find: "text === '' || text === '.' || text === '..'",
    replace: "text === ''",
    tests: providers,
  },
  {
    name: 'an id is not encoded in an address',
    file: `${client}/records/record.path.ts`,
    find: 'return encodeURIComponent(text);',
    replace: 'return text;',
    tests: providers,
  },
  {
    name: 'an update names the version that was read last, not the one that was seen',
    file: `${client}/records/record.writes.ts`,
    find: 'previous === undefined ? this.versions.latest(path) : this.versions.of(path, previous)',
    replace: 'this.versions.latest(path)',
    tests: providers,
  },
  {
    name: 'a record that a list has shown is not compared before it is changed',
    file: `${client}/records/record.writes.ts`,
    find: 'if (previous === undefined || isContained(previous, current.record)) return current.version;',
    replace: 'if (current.version !== undefined) return current.version;',
    tests: providers,
  },
  {
    name: 'a create without a key is sent again after a 503',
    file: `${client}/wire/retry.ts`,
    find: "return isRead || method.toUpperCase() !== 'POST' || headers.has('Idempotency-Key');",
    replace: "return isRead || method !== '' || headers.has('Idempotency-Key');",
    tests: ['contract/front-ends.client'],
  },
  {
    name: 'a request is sent again four times',
    file: `${client}/wire/request.sender.ts`,
    find: 'retries = 3',
    replace: 'retries = 4',
    tests: ['contract/front-ends.client'],
  },
  {
    name: 'a number beyond 2^53 is taken for an id',
    file: `${client}/records/version.memory.ts`,
    find: '!Number.isSafeInteger(id) && Number.isInteger(id)',
    replace: '!Number.isSafeInteger(id) && !Number.isInteger(id)',
    tests: providers,
  },
  {
    name: 'a text of digits becomes a number that is not exact',
    file: `${client}/records/column.values.ts`,
    find: "value.trim() !== '' && String(number) === value ? number : value",
    replace: "value.trim() !== '' ? number : value",
    tests: providers,
  },
  {
    name: 'the token is sent to another service',
    file: 'libs/refine/src/endpoints.provider.ts',
    find: 'if (URL.canParse(path))',
    replace: "if (path === '')",
    tests: ['contract/front-ends.refine'],
  },
  {
    name: 'five hundred ids are asked for at once',
    file: `${client}/records/record.reads.ts`,
    find: 'const mostIds = 100;',
    replace: 'const mostIds = 1000;',
    tests: providers,
  },
  {
    name: 'pages of a list with cursors are counted',
    file: `${client}/records/list.reads.ts`,
    find: 'const known = this.pages.of(listed, start);',
    replace: 'const known = this.pages.of(listed, -1);',
    tests: ['contract/front-ends.pages'],
  },
  {
    name: 'a cursor that has ended is an error',
    file: `${client}/records/list.reads.ts`,
    find: '|| error.status !== 400) throw error;',
    replace: '|| error.status !== 418) throw error;',
    tests: ['contract/front-ends.pages'],
  },
];
