// Which changes of the code the tests notice: `npm run mutations`, by hand, in some hours. See docs/reliability.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { areas } from './areas.mjs';
import { chosenMutants, generatedMutants, handMutants, testFile } from './support/mutants.mjs';
import { judged } from './support/judge.mjs';
import { reported } from './support/report.mjs';
import { databaseOf, servers } from './support/servers.mjs';
import { CopiedTree } from './support/copied.tree.mjs';
import { TestMap } from './support/test.map.mjs';

const help = `npm run mutations -- [options]

  --count N     how many mutants are made of the code, beside the defects put in by hand; default 240
  --seed S      chooses other mutants; default 1
  --only TEXT   only mutants with this in their id, name, file, sort or database; may be repeated
  --defects     only the defects put in by hand
  --shard I/N   every Nth mutant, from the Ith on, in a tree of its own
  --list        prints the mutants
  --report      prints what was found so far
  --check       whether every defect can still be put in; takes seconds
  --map         runs all tests once, to learn which of them run which function; asked for by the first run
  --test FILE   with --map: only these tests, as contract/NAME.test.ts; else these before all others; may be repeated
  --workers N   with --map: how many at once; default 1
  --unmapped    goes by the names of tests where there is no map
  --again       forgets what was found so far
  --patience S  how long tests may take that concern one mutant, in seconds; default 20. What survives them meets all
                others, four times as long`;

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const { values } = parseArgs({
  options: {
    count: { ...text, default: '240' },
    seed: { ...text, default: '1' },
    only: { ...text, multiple: true, default: [] },
    test: { ...text, multiple: true, default: [] },
    shard: { ...text, default: '1/1' },
    workers: { ...text, default: '1' },
    patience: { ...text, default: '20' },
    defects: flag,
    list: flag,
    report: flag,
    check: flag,
    map: flag,
    unmapped: flag,
    again: flag,
    help: flag,
  },
});

const named = values.test.map((file) => file.replace(/\.test\.ts$/, ''));

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/nest-endpoints-mutations');
const results = join(cache, 'results');
const [shard, shards] = values.shard.split('/').map(Number);

const actions = { help: showHelp, check, list, map: makeMap, report };
const [action = run] = Object.keys(actions).flatMap((name) => (values[name] ? [actions[name]] : []));
process.exitCode = await action();

function showHelp() {
  console.log(help);
  return 0;
}

/** The mutants of this run, in an order in which one file does not come after the other. */
function mutants() {
  const { mutants: byHand, problems } = handMutants(root);
  if (problems.length > 0) throw new Error(`Defects that cannot be put in:\n  ${problems.join('\n  ')}`);
  const made = values.defects ? [] : chosenMutants(root, { count: Number(values.count), seed: values.seed });
  const isWanted = ({ id, name = '', file, kind, area, database = '' }) =>
    values.only.length === 0 ||
    values.only.some((word) => [id, name, file, kind, area, database].some((part) => part.includes(word)));
  const first = (mutant) => ({ ...mutant, tests: [...named, ...(mutant.tests ?? [])] });
  return [...byHand, ...made]
    .filter(isWanted)
    .filter((_mutant, index) => index % shards === shard - 1)
    .map(first);
}

function check() {
  const { mutants: byHand, problems } = handMutants(root);
  const made = generatedMutants(root).length;
  const inFolder = (folder) => readdirSync(join(root, 'test', folder)).map((file) => `${folder}/${file}`);
  const tests = new Set(['contract', 'mariadb'].flatMap(inFolder));
  const gaps = JSON.parse(readFileSync(join(root, 'test/mariadb.gaps.json'), 'utf8'));
  const failing = [
    ...Object.values(gaps.files).flat(),
    ...Object.values(gaps.sentences).flatMap((files) => Object.keys(files)),
  ];
  for (const { name, tests: named, database } of byHand)
    for (const file of named.map(testFile)) {
      if (!tests.has(file)) problems.push(`${name}: there is no test ${file}`);
      // It would fail without the defect, too.
      if (database === 'mariadb' && failing.includes(basename(file)))
        problems.push(`${name}: ${file} does not hold on MariaDB as a whole`);
    }
  for (const problem of problems) console.error(`✗ ${problem}`);
  console.log(`${byHand.length} defects can be put in, and ${made} other changes made`);
  return problems.length > 0 ? 1 : 0;
}

function list() {
  const all = mutants();
  for (const { id, name, file, line, kind, original, text: changed } of all)
    console.log(`${id} ${file}:${line} ${kind}: ${name ?? `${short(original)} → ${short(changed)}`}`);
  console.log(`${all.length} mutants`);
  return 0;
}

function short(words) {
  const line = words.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

async function makeMap() {
  const tree = new CopiedTree(root, 'map');
  tree.make();
  const ended = await servers(['postgresql']);
  try {
    const only = named.map((test) => `${test}.test.ts`);
    const map = await TestMap.make(tree, root, cache, { workers: values.workers, only });
    console.log(`${Object.keys(map.hits).length} test files have passed, and are in the map`);
    return 0;
  } finally {
    await ended();
    tree.remove();
  }
}

/** What was found of a mutant holds while its text is the same; what survived is tried again with the tests of now. */
function fileOf({ id, changed }) {
  const content = createHash('sha256').update(changed).digest('hex').slice(0, 10);
  return join(results, `${id}.${content}.json`);
}

function known(mutant) {
  try {
    return JSON.parse(readFileSync(fileOf(mutant), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function run() {
  if (values.again) rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const map = TestMap.read(root, cache);
  if (map.hits === undefined && !values.unmapped) {
    console.error('Nobody knows yet which tests run what: begin with --map, or go by names with --unmapped');
    return 2;
  }
  const all = mutants();
  const left = all.filter((mutant) => !['killed', 'late'].includes(known(mutant)?.outcome));
  console.log(`${all.length} mutants, of which ${all.length - left.length} are known to be noticed`);
  const tree = new CopiedTree(root, `${shard}-of-${shards}`);
  tree.make();
  const ended = await servers(left.map(databaseOf));
  const stop = async () => {
    await ended();
    tree.remove();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    for (const [index, mutant] of left.entries()) {
      const area = areas.find(({ name }) => name === mutant.area);
      const begun = performance.now();
      const found = await judged(tree, mutant, map, { area, patience: Number(values.patience) * 1000 });
      writeFileSync(fileOf(mutant), JSON.stringify({ ...found, id: mutant.id }));
      const took = Math.round((performance.now() - begun) / 1000);
      const { file, line, kind, name, original, text: changed } = mutant;
      const what = name ?? `${kind}: ${short(original)} → ${short(changed)}`;
      const by = found.by === undefined ? '' : ` by ${found.by}`;
      console.log(`${index + 1}/${left.length} ${found.outcome}${by} in ${took} s: ${file}:${line} ${what}`);
    }
  } finally {
    await stop();
  }
  return report();
}

function report() {
  return reported(mutants().map((mutant) => ({ ...mutant, ...known(mutant) })));
}
