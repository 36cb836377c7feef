// The contract tests on a cluster: a primary, a replica that has always replayed what the primary has committed, and
// PgBouncer in transaction mode in front of both. `npm run test:cluster`, `-- --short` for a handful of files; other words
// are Jest's.
import { reasonAgainstPgBouncer } from './drills/support/pgbouncer.mjs';
import { Stage } from './drills/support/stage.mjs';
import { runJest } from './support/jest.process.mjs';

/** One file for each thing that a pooler or a replica might break. */
const short = [
  'pooler',
  'statements',
  'transactions',
  'row-level-security',
  'restful-api',
  'keyset',
  'input.unique',
];

if (reasonAgainstPgBouncer !== undefined) {
  // In CI a run of nothing must not look like one that passed.
  const isFatal = Boolean(process.env.CI);
  console.log(`${isFatal ? 'FAILED' : 'skipped'}: ${reasonAgainstPgBouncer}`);
  process.exit(isFatal ? 1 : 0);
}

const given = process.argv.slice(2);
const words = given.filter((word) => word !== '--short');
const files = given.includes('--short') ? short.map((name) => `/contract/${name}[.]`) : ['/contract/'];
const isNamed = words.some((word) => !word.startsWith('-'));

/** Nothing has to outlive the run; but a commit waits until the replica shows it, so that tests find what they wrote. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  synchronous_standby_names: '*',
  synchronous_commit: 'remote_apply',
};

const stage = new Stage();
/** Of Jest; none where it was ended. */
let status;
try {
  const { primary, standby } = await stage.cluster(settings);
  const [writes, reads] = [await stage.pgbouncer(primary), await stage.pgbouncer(standby)];
  status = await runJest([...words, ...(isNamed ? [] : files)], {
    TEST_CLUSTER: '1',
    TEST_DATABASE_URL: primary.url,
    TEST_POOLER_URL: writes.url,
    TEST_REPLICA_URL: reads.url,
  });
} finally {
  await stage.clear();
}
process.exit(status ?? 1);
