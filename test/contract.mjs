// Prints the sentences of the contract, which are the names of its tests, by heading, and whether the last test run passed them.
import { readFile } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import { failuresOf, readHeadings } from './contract.judge.mjs';

const headingsFile = new URL('contract.headings.md', import.meta.url);
const resultsFile = new URL('../node_modules/.cache/nest-endpoints-test/results.json', import.meta.url);

/** @returns the test files of the contract: `{ file, error, tests: { sentence, combination, passed }[] }` */
const readFiles = async () => {
  const { testResults } = JSON.parse(await readFile(resultsFile, 'utf8'));
  return testResults
    .filter(({ name }) => name.includes(`${sep}test${sep}contract${sep}`))
    .map(({ name, message, assertionResults }) => ({
      file: basename(name),
      // A file that could not be loaded has no tests to report, only its error.
      error: assertionResults.length === 0 ? message.trim() || 'no tests' : undefined,
      tests: assertionResults.map(({ title, ancestorTitles, status }) => ({
        sentence: title,
        combination: ancestorTitles.at(-1) ?? '',
        passed: status === 'passed',
      })),
    }));
};

const [text, files] = await Promise.all([readFile(headingsFile, 'utf8'), readFiles()]);
// Those of MariaDB alone are in a run of their own, see mariadb.mjs.
const headings = readHeadings(text).filter(({ isOfMariaDbAlone }) => !isOfMariaDbAlone);
const { sentences, failures } = failuresOf(headings, files, process.env.TEST_EVERYWHERE !== undefined);

for (const heading of headings) {
  console.log(`\n${heading.title}`);
  for (const { text: sentence, files: bearers, complaint } of sentences) {
    const own = bearers.filter((file) => heading.files.includes(file)).join(', ');
    if (own)
      console.log(`  ${complaint ? '✗' : '✓'} ${sentence}${complaint ? ` — ${complaint}` : ''} (${own})`);
  }
}
for (const failure of failures) console.log(`\n✗ ${failure}`);

const wrong = sentences.filter(({ complaint }) => complaint !== undefined).length;
console.log(`\n${sentences.length - wrong} passed, ${wrong + failures.length} failed`);
process.exitCode = wrong + failures.length > 0 ? 1 : 0;
