// Defects in files as they are kept and read: each must be noticed by a test that is named.

export const defects = [
  {
    name: 'files: the end of a file begins before the file',
    file: 'libs/files/src/endpoints/byte.range.ts',
    find: 'Math.min(Number(last), bytes);',
    replace: 'Number(last);',
    tests: ['contract/files.read'],
  },
  {
    name: 'files: the last no bytes of a file are a part',
    file: 'libs/files/src/endpoints/byte.range.ts',
    find: "length === 0 ? 'unsatisfiable' : ",
    replace: '',
    tests: ['contract/files.read'],
  },
  {
    name: 'files: urls signed with the secret before are refused',
    file: 'libs/files/src/storages/local.links.ts',
    find: 'const isOurs = this.#secrets',
    replace: 'const isOurs = this.#secrets.slice(0, 1)',
    tests: ['contract/files.secrets'],
  },
  {
    name: 'files: code attaches a file of another column',
    file: 'libs/files/src/records/attached.files.ts',
    find: ' || nameOf(row) !== nameOf(holder))',
    replace: ')',
    tests: ['contract/files.attach'],
  },
  {
    name: 'files: bytes of another length are attached',
    file: 'libs/files/src/records/attached.files.ts',
    find: 'found?.bytes !== row.bytes || ',
    replace: 'found === undefined || ',
    tests: ['contract/files.s3'],
  },
  {
    name: 'files: a bucket shows drawings with scripts in them',
    file: 'libs/files/src/column/file.column.ts',
    find: 'isInline: inline && mayBeInline(type)',
    replace: 'isInline: inline',
    tests: ['contract/files.s3'],
  },
  {
    name: 'files: one that is gone from a bucket is tried for ever',
    file: 'libs/files/src/storages/s3.files.ts',
    find: ' && answer.status !== 404',
    replace: '',
    tests: ['contract/files.s3'],
  },
];
