import { sep } from 'node:path';

/** Has jest run test files in the order in which they were asked for: those that concern a mutant most come first. */
class OrderSequencer {
  #order = JSON.parse(process.env.MUTATION_TESTS ?? '[]');

  sort(tests) {
    const place = ({ path }) => this.#order.findIndex((file) => path.endsWith(`${sep}test${sep}${file}`));
    return [...tests].sort((one, other) => place(one) - place(other));
  }

  shard(tests) {
    return tests;
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // Nothing of a mutant says how long a test takes.
  }
}

export { OrderSequencer as default };
