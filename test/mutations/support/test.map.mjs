import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { mutatedFiles } from './mutants.mjs';
import { functionsOf, parse } from './mutators.mjs';
import { runJest } from './jest.run.mjs';

/** A run of all tests, however busy the machine is, in milliseconds. */
const patience = 3 * 3_600_000;

/** How long a test file takes of which nobody knows, in milliseconds, and how long it may. */
const usualTime = 8000;
const longestTime = 60_000;

/** The words of a name: `record.reader.ts` and `keyset.order.test.ts` have none in common. */
const wordsOf = (file) =>
  basename(file)
    .replace(/(\.test)?\.ts$/, '')
    .split(/[.-]/);

/** Which test files run which functions, and how long they take. */
export class TestMap {
  /** Which have found a mutant of a file, the last one first: they find others. */
  #finders = new Map();

  /** @param hits by test file, or undefined where nobody has made the map */
  constructor(root, hits) {
    this.hits = hits;
    this.contract = readdirSync(join(root, 'test/contract'))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `contract/${name}`);
  }

  static fileOf = (cache) => join(cache, 'map.json');

  static read(root, cache) {
    try {
      return new TestMap(root, JSON.parse(readFileSync(TestMap.fileOf(cache), 'utf8')));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return new TestMap(root, undefined);
    }
  }

  /** Runs all tests once, with a probe in every function. */
  static async make(tree, root, cache, { workers, only }) {
    const folder = mkdtempSync(join(tmpdir(), 'nest-endpoints-mutation-hits-'));
    for (const { file } of mutatedFiles(root)) tree.write(file, probed(root, file));
    const { report, said } = await runJest(tree, only, {
      limit: patience,
      env: { MUTATION_HITS: folder },
      more: [
        `--maxWorkers=${workers}`,
        `--setupFilesAfterEnv=${join(tree.path, 'test/mutations/support/probe.writer.js')}`,
      ],
    });
    const hits = hitsIn(tree, folder, report);
    rmSync(folder, { recursive: true });
    for (const { file } of mutatedFiles(root)) tree.write(file, readFileSync(join(root, file), 'utf8'));
    if (Object.keys(hits).length === 0) throw new Error(`No test file has passed:\n${said}`);
    mkdirSync(dirname(TestMap.fileOf(cache)), { recursive: true });
    // A run of some tests tells nothing new of the others.
    const all = only.length === 0 ? hits : { ...TestMap.read(root, cache).hits, ...hits };
    writeFileSync(TestMap.fileOf(cache), JSON.stringify(all));
    return new TestMap(root, all);
  }

  timeOf(test) {
    return this.hits?.[test]?.time ?? usualTime;
  }

  /** How long a test file may take before it must hang. */
  mostOf(test) {
    return this.hits?.[test]?.time ?? longestTime;
  }

  /** A test file has found a mutant. */
  found(file, test) {
    this.#finders.set(file, [test, ...(this.#finders.get(file) ?? []).filter((one) => one !== test)]);
  }

  /** The test files that may notice a mutant, the most promising first. @param area whose tests stand in for the map */
  testsFor({ file, within, tests }, area) {
    const concerned = this.#concerned(file, within, area);
    const finders = this.#finders.get(file) ?? [];
    const words = wordsOf(file);
    const score = (test) => {
      const alike = wordsOf(test).filter((word) => words.includes(word)).length;
      const early = finders.includes(test) ? 10 - finders.indexOf(test) : 0;
      return early + alike - this.timeOf(test) / 10_000;
    };
    const sorted = concerned.toSorted((one, other) => score(other) - score(one));
    return [...new Set([...(tests ?? []), ...sorted])];
  }

  #concerned(file, within, area) {
    const { hits } = this;
    if (hits === undefined) return this.contract.filter((test) => area?.tests.test(basename(test)) === true);
    const running = (probe) => Object.keys(hits).filter((test) => hits[test].probes.includes(probe));
    const exact = running(`${file}#${within ?? ''}`);
    // The map may be older than the function.
    return exact.length > 0 ? exact : running(`${file}#`);
  }
}

/** The file with a probe in every function, and one that tells that the file itself was run. */
function probed(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const probe = (name) =>
    `(globalThis.mutationProbes ??= new Set()).add(${JSON.stringify(`${file}#${name}`)});`;
  const edits = functionsOf(parse(file, text)).map(({ name, body }) => [body.getStart() + 1, probe(name)]);
  const written = edits
    .toSorted(([one], [other]) => other - one)
    .reduce((so, [at, words]) => so.slice(0, at) + words + so.slice(at), text);
  return `${written}\n${probe('')}\n`;
}

/** Of the files that passed: what fails without a mutant says nothing about one. */
function hitsIn(tree, folder, { testResults }) {
  const passed = new Map(
    testResults
      .filter(({ status }) => status === 'passed')
      .map(({ name, startTime, endTime }) => [name, endTime - startTime]),
  );
  const written = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return Object.fromEntries(
    written
      .filter(({ testPath }) => passed.has(testPath))
      .map(({ testPath, hits }) => [
        relative(join(tree.path, 'test'), testPath),
        { time: passed.get(testPath), probes: hits },
      ]),
  );
}
