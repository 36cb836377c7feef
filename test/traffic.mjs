// Compares what went over the wire in runs of the tests: `TEST_TRAFFIC=<folder> npm test` records one, and
// `npm run traffic -- <before> <again> <after>` tells which answers of `after` differ from those of `before`. What
// differs between `before` and `again`, two runs of one tree, is noise, and counted as such.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What no two runs have in common: ids, times, ports, and what is encrypted or hashed. */
const random = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)?/g, '<instant>'],
  [/^(date|last-modified): .*$/gim, '$1: <date>'],
  [/(127\.0\.0\.1|localhost|\[::1\]):\d+/g, '<host>'],
  [/^(etag: (W\/)?").*?"/gim, '$1<tag>"'],
  [/[\w-]{40,}/g, '<text>'],
  [/^content-length: \d+$/gim, 'content-length: <length>'],
  [/\b1[6-9]\d{8}(\d{3})?\b/g, '<epoch>'],
];

const plain = (text) => random.reduce((known, [pattern, name]) => known.replace(pattern, name), text);

/** The answers of a run by test and request, those of equal requests in a fixed order. */
const answersOf = async (folder) => {
  const answers = new Map();
  for (const name of await readdir(folder))
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n').filter(Boolean)) {
      const { file, test, combination, request, answer } = JSON.parse(line);
      const key = [file, combination, test, plain(request)].join(' | ');
      answers.set(key, [...(answers.get(key) ?? []), plain(answer)].toSorted());
    }
  return answers;
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const folders = process.argv.slice(2);
if (folders.length !== 3) {
  console.error('Usage: npm run traffic -- <before> <again> <after>, folders that TEST_TRAFFIC named');
  process.exit(2);
}
const [before, again, after] = await Promise.all(folders.map(answersOf));
const noise = [...before.keys()].filter((key) => !same(before.get(key), again.get(key)));
const steady = new Set([...before.keys()].filter((key) => same(before.get(key), again.get(key))));
const different = [...steady].filter((key) => !same(before.get(key), after.get(key)));
const count = (keys) => [...keys].reduce((sum, key) => sum + before.get(key).length, 0);

for (const key of different)
  console.log(
    `${key}\n  before ${JSON.stringify(before.get(key))}\n  after  ${JSON.stringify(after.get(key))}\n`,
  );
console.log(
  `${count(steady)} exchanges compared, ${count(noise)} left out as noise, ${count(different)} differ`,
);
process.exit(different.length === 0 ? 0 : 1);
