/** Legacy decorators with metadata, as Nest and `@mikro-orm/decorators/legacy` need them. */
const legacyDecorators = { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true };
/** TC39 decorators, for the entity files that use `@mikro-orm/decorators/es`. */
const esDecorators = { decoratorVersion: '2023-11', useDefineForClassFields: true };

const swc = (transform) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform,
      target: 'es2023',
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: './support/environment.js',
  runtime: './support/runtime.js',
  testEnvironmentOptions: { customExportConditions: ['@nest-endpoints/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '/es-decorators/.*\\.ts$': swc(esDecorators),
    '\\.ts$': swc(legacyDecorators),
  },
  // Those of `mariadb/` and `contract/mariadb.` are about MariaDB alone.
  testMatch: [
    '<rootDir>/**/*.test.ts',
    ...(process.env.TEST_MARIADB ? ['<rootDir>/mariadb/*.mariadb.ts'] : []),
  ],
  testPathIgnorePatterns: process.env.TEST_MARIADB ? [] : ['/contract/mariadb[.]'],
  globalSetup: './support/global-setup.js',
  globalTeardown: './support/global-teardown.js',
  // Starting an application takes a second, and many times that on a busy machine.
  testTimeout: 90_000,
  // Half of what a worker does is to wait, so that one more than CI has cores keeps these busy.
  maxWorkers: 3,
  testSequencer: './support/slowest.sequencer.mjs',
  // Modules of ended tests stay in a worker; past this its collector takes longer than the tests.
  workerIdleMemoryLimit: '1GB',
};
