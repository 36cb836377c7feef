// The contract tests of tenants on a cluster of Citus that is given: `CITUS_URL=postgresql://…/postgres npm run test:citus`, the
// address of its coordinator. The database that it names must have the extension and the workers (docs/scaling.md); each test file makes
// databases of its own beside it. Other words are Jest's.
import { runJest } from './support/jest.process.mjs';

const { CITUS_URL: url } = process.env;
if (!url) {
  console.error('FAILED: CITUS_URL is not set: the address of the coordinator of a cluster of Citus');
  process.exit(1);
}

const words = process.argv.slice(2);
const isNamed = words.some((word) => !word.startsWith('-'));
/** The log of changes is read in the order of transactions of one server: see docs/scaling.md. */
const files = ['contract/parted[.](?!changes)', '/test/citus/'];
/** Those that need a cluster are no tests of a usual run. */
const matched = ['--testMatch', '<rootDir>/contract/*.test.ts', '--testMatch', '<rootDir>/citus/*.citus.ts'];

const status = await runJest(
  [...words, ...(isNamed ? [] : files), ...matched, '--maxWorkers=1', '--testTimeout=600000'],
  { TEST_DATABASE_URL: url, TEST_EVERYWHERE: '1' },
);
process.exit(status ?? 1);
