import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { areas } from '../areas.mjs';
import { defects } from '../defects.mjs';
import { equivalents } from '../equivalents.mjs';
import { mutationsOf, syntaxErrorOf } from './mutators.mjs';

/** The file of a test that a defect names without what it ends with. Those of `mariadb/` are no tests of a usual run. */
export const testFile = (test) => `${test}${test.startsWith('mariadb/') ? '.mariadb.ts' : '.test.ts'}`;

const digest = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex');

/** The TypeScript files of a folder, and of those in it, in the order of their names. */
const sourcesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort()
    .map((name) => `${folder}/${name}`);

/** The files that are mutated, with their areas. */
export const mutatedFiles = (root) =>
  areas.flatMap((area) =>
    area.sources.flatMap((folder) => sourcesIn(root, folder).map((file) => ({ file, area }))),
  );

/**
 * All mutants that the mutators make. An id holds while its function says the same, whatever else changes in the file.
 *
 * @returns a list of `{ id, area, file, line, kind, original, text, within, apply }`
 */
export function generatedMutants(root) {
  return mutatedFiles(root).flatMap(({ file, area }) => {
    const source = readFileSync(join(root, file), 'utf8');
    const seen = new Map();
    return mutationsOf(file, source).flatMap((mutation) => {
      const { kind, start, end, text, original, within, line } = mutation;
      const key = digest(file, within, kind, original, text);
      const nth = seen.get(key) ?? 0;
      seen.set(key, nth + 1);
      const changed = source.slice(0, start) + text + source.slice(end);
      if (syntaxErrorOf(file, changed) !== undefined) return [];
      const id = digest(key, nth).slice(0, 10);
      return [{ id, area: area.name, file, line, kind, original, text, within, changed, source }];
    });
  });
}

/** As many mutants as asked for, from every file by its share, always the same by one seed. */
export function chosenMutants(root, { count, seed }) {
  const all = generatedMutants(root).filter((mutant) => reasonFor(mutant) === undefined);
  const byFile = Map.groupBy(all, ({ file }) => file);
  return [...byFile.values()].flatMap((mutants) => {
    const share = Math.max(1, Math.round((count * mutants.length) / all.length));
    const ranked = mutants.toSorted((one, other) => (rank(seed, one) < rank(seed, other) ? -1 : 1));
    return ranked.slice(0, share).toSorted((one, other) => one.line - other.line);
  });
}

const rank = (seed, { id }) => digest(seed, id);

/** Why a mutant does the same as the code, where somebody has looked. */
const reasonFor = ({ file, within, original, text }) =>
  equivalents.find(
    (one) => one.file === file && one.within === within && one.original === original && one.text === text,
  )?.reason;

/**
 * The defects that were put in by hand. One whose snippet is not exactly once in its file is an error: the code has
 * changed, and the defect is to be put in anew.
 *
 * @returns `{ mutants, problems }`
 */
export function handMutants(root) {
  const problems = [];
  const mutants = defects.flatMap(({ name, file, find, replace, tests, database }) => {
    const refuse = (problem) => {
      problems.push(`${name}: ${problem}`);
      return [];
    };
    let source;
    try {
      source = readFileSync(join(root, file), 'utf8');
    } catch {
      return refuse(`there is no ${file}`);
    }
    const times = source.split(find).length - 1;
    if (times !== 1) return refuse(`its snippet is ${times} times in ${file}, and must be there once`);
    const changed = source.replace(find, () => replace);
    const problem = syntaxErrorOf(file, changed);
    if (problem !== undefined) return refuse(`${file} would not be TypeScript: ${problem}`);
    const line = source.slice(0, source.indexOf(find)).split('\n').length;
    const id = digest('by hand', name).slice(0, 10);
    return [
      {
        id,
        name,
        area: 'by hand',
        file,
        line,
        kind: 'defect',
        original: find,
        text: replace,
        tests,
        database,
        changed,
        source,
      },
    ];
  });
  const names = defects.map(({ name }) => name);
  for (const name of names.filter((one, index) => names.indexOf(one) !== index))
    problems.push(`${name}: there are two defects of this name`);
  return { mutants, problems };
}
