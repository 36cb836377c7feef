// The sentences of the contract on MariaDB, as `npm run test:mariadb` tries them: all files whose heading in
// The sentences of the contract on MariaDB, as `npm run test:mariadb` tries them: all files whose heading in
// `contract.headings.md` asks for every database or for MariaDB, those of `others`, and those of `mariadb/`. `mariadb.gaps.json` has
// the sentences that do not hold there yet, and the files that cannot end, each under its reason. A sentence that fails and is no gap
// is an error, and so is a gap that holds. Other words are Jest's.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readHeadings } from './contract.judge.mjs';
import { runJest } from './support/jest.process.mjs';

const resultsFile = new URL('../node_modules/.cache/nest-endpoints-test/mariadb.json', import.meta.url)
  .pathname;

const read = (name) => readFile(new URL(name, import.meta.url), 'utf8');

/** @returns `{ files: { [reason]: file[] }, sentences: { [reason]: { [file]: sentence[] } } }` */
const gaps = JSON.parse(await read('mariadb.gaps.json'));
const left = new Set(Object.values(gaps.files).flat());
const known = new Set(
  Object.values(gaps.sentences).flatMap((files) =>
    Object.entries(files).flatMap(([file, sentences]) => sentences.map((sentence) => `${file}: ${sentence}`)),
  ),
);

/** Files that are tried on one database at a time, whichever that is. */
const others = ['both-ways.property.test.ts', 'any-input.test.ts', 'any-path.test.ts'];

const isOfMariaDb = ({ demand, isOfMariaDbAlone }) =>
  isOfMariaDbAlone || (demand.some((part) => part.endsWith('sqlite')) && demand.length > 1);
const headings = readHeadings(await read('contract.headings.md')).filter(isOfMariaDb);
const files = [...new Set([...headings.flatMap((heading) => heading.files), ...others])].filter(
  (file) => !left.has(file),
);

const words = process.argv.slice(2);
const isNamed = words.some((word) => !word.startsWith('-'));
const asked = isNamed
  ? []
  : [...files.map((file) => `/contract/${file.replaceAll('.', '[.]')}`), '/test/mariadb/.*[.]mariadb[.]ts'];
await mkdir(dirname(resultsFile), { recursive: true });
// Those of an earlier run are not what this one has found.
await rm(resultsFile, { force: true });
await runJest([...words, ...asked, '--json', `--outputFile=${resultsFile}`], { TEST_MARIADB: '1' }, 'ignore');

const { testResults } = JSON.parse(await readFile(resultsFile, 'utf8'));
const failures = [];
let passed = 0;
for (const { name, message, assertionResults } of testResults) {
  const file = basename(name);
  if (assertionResults.length === 0) failures.push(`${file} could not run: ${message}`);
  for (const { title, status, failureMessages } of assertionResults) {
    const isGap = known.has(`${file}: ${title}`);
    if (status === 'passed' && isGap)
      failures.push(`${file}: ${title}: it holds, and is still told as a gap`);
    if (status === 'passed') passed += 1;
    if (status === 'failed' && !isGap) failures.push(`${file}: ${title}\n${failureMessages.join('\n')}`);
  }
}
for (const [reason, { length }] of Object.entries(gaps.files))
  console.log(`not run, ${reason}: ${length} files`);
for (const [reason, sentences] of Object.entries(gaps.sentences))
  console.log(`does not hold yet, ${reason}: ${Object.values(sentences).flat().length} sentences`);
for (const failure of failures) console.log(`\n✗ ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
