import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** It names where packages came from: the registry of this machine. */
const notCompared = new Set(['package-lock.json']);

/**
 * The files of a directory that its git does not ignore.
 * @param {string} directory
 * @returns {Promise<Map<string, string>>} path → text
 */
export async function filesOf(directory) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.'];
  const { stdout } = await promisify(execFile)('git', words, { cwd: directory });
  const paths = stdout.split('\0').filter((path) => path !== '' && !notCompared.has(path));
  const texts = await Promise.all(paths.sort().map((path) => textOf(join(directory, path))));
  return new Map(paths.map((path, index) => [path, texts[index]]).filter(([, text]) => text !== undefined));
}

/** One that was deleted is in git's list still. */
async function textOf(path) {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/**
 * @param {Map<string, string>} made
 * @param {Map<string, string>} kept
 * @param {{ made: string, kept: string }} names of both
 */
export function compareFiles(made, kept, names) {
  const problems = [...new Set([...made.keys(), ...kept.keys()])].sort().flatMap((path) => {
    if (!made.has(path)) return [`${path} is in ${names.kept} only`];
    if (!kept.has(path)) return [`${path} is in ${names.made} only`];
    return made.get(path) === kept.get(path)
      ? []
      : [`${path} is not the same: ${firstDifference(made.get(path), kept.get(path))}`];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function firstDifference(made, kept) {
  const [mine, other] = [made.split('\n'), kept.split('\n')];
  const line = mine.findIndex((text, index) => text !== other[index]);
  const at = line === -1 ? mine.length : line;
  return `line ${at + 1}: ${JSON.stringify(mine[at])}, ${JSON.stringify(other[at])}`;
}

/**
 * Makes a directory have exactly these files of another one.
 * @param {string} from
 * @param {Iterable<string>} paths
 * @param {string} to
 */
export async function copyFiles(from, paths, to) {
  await rm(to, { recursive: true, force: true });
  for (const path of paths) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await cp(join(from, path), join(to, path));
  }
}
