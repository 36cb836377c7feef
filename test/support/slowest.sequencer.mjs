import TestSequencer from '@jest/test-sequencer';

/** Files that take longest on a machine that is quiet, half of it waiting for what time has to bring. */
const slowest = [
  'keyset.processes',
  'slow-clients',
  'cli',
  'migrations.changes',
  'shutdown',
  'defaults',
  'any-input',
  'receiving',
  'docs.page',
  'schematics',
  'settings',
  'advanced-search.like',
  'migrations',
  'typed-client',
  'cli.output',
];

const rankOf = ({ path }) => {
  const rank = slowest.findIndex((name) => path.endsWith(`/contract/${name}.test.ts`));
  return rank < 0 ? slowest.length : rank;
};

/**
 * Has Jest begin with the slowest files, so that no worker is left with one at the end. It does so by itself from the second
 * run on; in CI every run is the first one.
 */
class SlowestFirst extends TestSequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export { SlowestFirst as default };
