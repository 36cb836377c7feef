import { join } from 'node:path';
import { runJest } from './jest.run.mjs';
import { testFile } from './mutants.mjs';
import { databaseOf, environments } from './servers.mjs';

/** What a process of jest takes beside its tests, and what a busy machine makes of them. */
const startUp = 30_000;
const slowness = 4;

/** How long a test may take where it took a second: a mutant that hangs is noticed soon enough. */
const testTimeout = 30_000;

/** The last line of what Node says when it ends a process for an error that nobody has caught. */
const uncaught = /^Node\.js v\d/m;

/**
 * Puts a mutant into the tree, runs the tests that concern it, the most promising first and as many as `patience` allows,
 * then, should none of them notice, as many of the others as four times that allows.
 *
 * @returns `{ outcome: 'killed' | 'late' | 'survived' | 'untested', by, tests }`
 */
export async function judged(tree, mutant, map, { area, patience }) {
  const database = databaseOf(mutant);
  const known = named(mutant);
  // The map tells of a run on PostgreSQL.
  const tests = database === 'postgresql' ? map.testsFor(known, area) : known.tests;
  if (tests.length === 0) return { outcome: 'untested', tests };
  const first = within(tests, map, patience);
  const others = within(tests.slice(first.length), map, slowness * patience);
  tree.write(mutant.file, mutant.changed);
  tree.build(mutant.file, mutant.changed);
  try {
    for (const chosen of [first, others]) {
      if (chosen.length === 0) continue;
      const found = await tried(tree, chosen, map, environments[database]);
      if (found === undefined) continue;
      if (found.test !== undefined) map.found(mutant.file, found.test);
      return { ...found, tests: chosen };
    }
    return { outcome: 'survived', tests: [...first, ...others] };
  } finally {
    tree.write(mutant.file, mutant.source);
    tree.build(mutant.file, mutant.source);
  }
}

function named({ tests = [], ...mutant }) {
  return { ...mutant, tests: tests.map(testFile) };
}

/** The first tests that fit into a time; at least one. */
function within(tests, map, time) {
  const chosen = [];
  let sum = 0;
  for (const test of tests) {
    sum += map.timeOf(test);
    if (chosen.length > 0 && sum > time) break;
    chosen.push(test);
  }
  return chosen;
}

async function tried(tree, tests, map, env) {
  const limit = startUp + slowness * tests.reduce((sum, test) => sum + map.mostOf(test), 0);
  const more = ['--runInBand', '--bail', `--testTimeout=${testTimeout}`];
  const { outcome, said } = await runJest(tree, tests, {
    limit,
    env,
    more: [...more, `--testSequencer=${join(tree.path, 'test/mutations/support/order.sequencer.mjs')}`],
  });
  if (outcome === 'passed') return undefined;
  if (outcome === 'late') return { outcome: 'late' };
  // It stops at the first file that fails, and leaves no report then.
  const [, test] = /^FAIL (?:\.\.\/test\/)?(\S+\.(?:test|mariadb)\.ts)/m.exec(said) ?? [];
  // What nobody catches ends the process before jest can say in which file. A jest that cannot begin has no place in ours.
  if (test === undefined && uncaught.test(said) && said.includes(`${tree.path}/libs/`))
    return { outcome: 'killed', by: 'the process of the tests, which has ended' };
  if (test === undefined) throw new Error(`jest could not run ${tests.join(', ')}:\n${said.slice(-4000)}`);
  const [, sentence = `${test}, which cannot run`] = /^ +● (?:.* › )?(.+)$/m.exec(said) ?? [];
  return { outcome: 'killed', test, by: sentence };
}
