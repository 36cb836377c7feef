// Prints every sentence of the contract with the tests that bear its name, and whether the last test run passed them.
import { readFile } from 'node:fs/promises';
import { basename, sep } from 'node:path';

const sentencesFile = new URL('contract.sentences.md', import.meta.url);
const resultsFile = new URL('../node_modules/.cache/nest-endpoints-test/results.json', import.meta.url);

const databases = ['postgresql', 'pglite', 'sqlite'];

/** Both ways to PostgreSQL, on both platforms: what every run of support/contract.ts has at least. */
const onPostgresql = ['express, postgresql, direct', 'fastify, pglite'];

/** What a heading can ask for: the text of each entry must be in the combination of at least one test. */
const demands = {
  everywhere: [...onPostgresql, 'express, sqlite'],
  'every database': databases,
  'every platform': ['express', 'fastify'],
  PostgreSQL: onPostgresql,
  SQLite: ['express, sqlite'],
  once: [''],
};

const readSentences = async () => {
  const sentences = [];
  let heading = '';
  let demand = demands.everywhere;
  for (const line of (await readFile(sentencesFile, 'utf8')).split('\n')) {
    const [, title, combinations] = /^## (.+?)(?: \[(.+)\])?$/.exec(line) ?? [];
    if (title) {
      heading = title;
      demand = demands[combinations ?? 'everywhere'];
      if (!demand) throw new Error(`'${line}' must end with one of: ${Object.keys(demands).join(', ')}`);
    } else if (line.startsWith('- '))
      sentences.push({ heading, demand, text: line.slice(2).replaceAll('`', '') });
  }
  return sentences;
};

const readTests = async () => {
  const results = JSON.parse(await readFile(resultsFile, 'utf8'));
  const files = results.testResults.filter(({ name }) => name.includes(`${sep}test${sep}contract${sep}`));
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, ancestorTitles, status }) => ({
      file: basename(name),
      sentence: title,
      combination: ancestorTitles.at(-1) ?? '',
      passed: status === 'passed',
    })),
  );
  // A file that could not be loaded has no tests to report, only its error.
  const broken = files.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    tests,
    broken: broken.map(({ name, message }) => `${basename(name)} could not run: ${message.trim()}`),
  };
};

const complaintOf = ({ demand }, tests) => {
  if (tests.length === 0) return 'no test';
  const failed = tests.filter(({ passed }) => !passed).map(({ combination }) => combination);
  if (failed.length > 0) return `failed on ${failed.join('; ')}`;
  const missing = demand.filter((part) => !tests.some(({ combination }) => combination.includes(part)));
  return missing.length > 0 ? `not tried on ${missing.join('; ')}` : undefined;
};

const [sentences, { tests, broken }] = await Promise.all([readSentences(), readTests()]);
const failures = [...broken];
const heard = new Set();
let heading = '';
for (const sentence of sentences) {
  const { text } = sentence;
  if (sentence.heading !== heading) console.log(`\n${(heading = sentence.heading)}`);
  if (heard.has(text)) failures.push(`listed twice: ${text}`);
  heard.add(text);
  const bearers = tests.filter((test) => test.sentence === text);
  const files = [...new Set(bearers.map(({ file }) => file))].join(', ');
  const complaint = complaintOf(sentence, bearers);
  if (complaint) failures.push(text);
  console.log(complaint ? `  ✗ ${text} — ${complaint}${files && ` (${files})`}` : `  ✓ ${text} (${files})`);
}

const unlisted = new Set(
  tests.filter(({ sentence }) => !heard.has(sentence)).map(({ file, sentence }) => `${sentence} (${file})`),
);
if (unlisted.size > 0)
  console.log(
    `\nTests whose name is no sentence of the list\n${[...unlisted].map((name) => `  ✗ ${name}`).join('\n')}`,
  );
for (const message of broken) console.log(`\n✗ ${message}`);

const failed = failures.length + unlisted.size;
const passed = sentences.length - sentences.filter(({ text }) => failures.includes(text)).length;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
