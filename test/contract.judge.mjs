/** Both ways to PostgreSQL, on both platforms: what every run of support/contract.ts has at least. */
const onPostgresql = ['express, postgresql, direct', 'fastify, pglite'];

/** What a heading can ask for: each text must be in the combination of at least one test of the sentence. */
const demands = {
  everywhere: [...onPostgresql, 'express, sqlite'],
  'every database': ['postgresql', 'pglite', 'sqlite'],
  'every platform': ['express', 'fastify'],
  PostgreSQL: onPostgresql,
  SQLite: ['express, sqlite'],
  MariaDB: ['express, mariadb', 'fastify, mariadb'],
  once: [''],
};

/** PostgreSQL through MikroORM is tried where a run has time for it; each heading that is tried everywhere has a test then. */
const fourth = 'fastify, postgresql, mikro-orm';

/** @returns the headings of the Markdown file: `{ title, isEverywhere, isOfMariaDbAlone, demand, files }` */
export const readHeadings = (text) => {
  const headings = [];
  for (const line of text.split('\n')) {
    const [, title, combinations = 'everywhere'] = /^## (.+?)(?: \[(.+)\])?$/.exec(line) ?? [];
    if (title) {
      if (!Object.hasOwn(demands, combinations))
        throw new Error(`'${line}' must end with one of: ${Object.keys(demands).join(', ')}`);
      const isEverywhere = combinations === 'everywhere';
      const isOfMariaDbAlone = combinations === 'MariaDB';
      headings.push({ title, isEverywhere, isOfMariaDbAlone, demand: demands[combinations], files: [] });
    } else if (line.startsWith('- ')) headings.at(-1).files.push(line.slice(2));
  }
  return headings;
};

/**
 * Compares the headings with the test files of a run.
 * @returns the sentences, each with its complaint if it has one, and what is wrong beside them
 */
export const failuresOf = (headings, files, hasFourth) => {
  const sentences = sentencesOf(files).map((sentence) => {
    const own = headings.filter((heading) => heading.files.some((file) => sentence.files.includes(file)));
    return { ...sentence, complaint: complaintOf(sentence, own) };
  });
  const failures = [];
  for (const { file, error } of files) {
    if (error !== undefined) failures.push(`${file} could not run: ${error}`);
    if (!headings.some((heading) => heading.files.includes(file))) failures.push(`${file} has no heading`);
  }
  const ran = new Set(files.map(({ file }) => file));
  for (const heading of headings) {
    for (const file of heading.files)
      if (!ran.has(file)) failures.push(`${heading.title}: ${file} did not run`);
    failures.push(...gapsOf(heading, sentences, hasFourth));
  }
  return { sentences, failures };
};

/** Tests with one name are one sentence, in whatever files and combinations they are. */
const sentencesOf = (files) => {
  const sentences = new Map();
  for (const { file, tests } of files)
    for (const test of tests) {
      const sentence = sentences.get(test.sentence) ?? { text: test.sentence, files: [], tests: [] };
      if (!sentence.files.includes(file)) sentence.files.push(file);
      sentence.tests.push(test);
      sentences.set(test.sentence, sentence);
    }
  return [...sentences.values()];
};

const complaintOf = ({ tests }, headings) => {
  const failed = tests.filter(({ passed }) => !passed).map(({ combination }) => combination);
  if (failed.length > 0) return `failed on ${failed.join('; ') || 'its only run'}`;
  // A file without a heading is told once, not with each of its sentences.
  if (headings.length === 0 || headings.some((heading) => missing(heading, tests).length === 0))
    return undefined;
  const all = headings.map((heading) => `${heading.title} wants ${missing(heading, tests).join('; ')}`);
  return `not tried on all: ${all.join(', or ')}`;
};

const missing = ({ demand }, tests) =>
  demand.filter((part) => !tests.some(({ combination }) => combination.includes(part)));

const gapsOf = (heading, sentences, hasFourth) => {
  const own = sentences.filter(({ files }) => files.some((file) => heading.files.includes(file)));
  const gaps = [];
  if (!own.some(({ tests }) => missing(heading, tests).length === 0))
    gaps.push(`${heading.title}: no test is tried on all it demands`);
  const isTried = own.some(({ tests }) => tests.some(({ combination }) => combination.includes(fourth)));
  if (hasFourth && heading.isEverywhere && !isTried) gaps.push(`${heading.title}: no test on ${fourth}`);
  return gaps;
};
