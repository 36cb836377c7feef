// The packages as npm would publish them.
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { repo, run, tool } from './command.mjs';
import { step } from './step.mjs';

const libs = join(repo, 'libs');

/** The most kilobytes of each tarball, which has sources and source maps beside what runs. A package of its own has a budget of its own. */
const budgets = {
  '@nest-endpoints/admin': 475,
  '@nest-endpoints/auth': 85,
  '@nest-endpoints/cli': 105,
  '@nest-endpoints/client': 92,
  '@nest-endpoints/core': 2400,
  '@nest-endpoints/events': 140,
  '@nest-endpoints/files': 100,
  '@nest-endpoints/limits': 40,
  '@nest-endpoints/live': 55,
  '@nest-endpoints/mcp': 60,
  '@nest-endpoints/migrations': 250,
  '@nest-endpoints/openapi': 45,
  '@nest-endpoints/react-admin': 12,
  '@nest-endpoints/refine': 13,
  '@nest-endpoints/testing': 40,
  'create-nest-endpoints': 20,
};

/**
 * @typedef {object} Tarball
 * @property {string} path
 * @property {{ name: string, version: string, exports?: object }} manifest as it is in the tarball
 */

/**
 * The libraries as npm would publish them. Where `TARBALLS` names a directory, those that are there are taken, so that
 * what runs after another shares them.
 * @param {string} place where they go without it
 * @returns {Promise<Tarball[]>}
 */
export async function packedLibraries(place) {
  const directory = process.env.TARBALLS || join(place, 'tarballs');
  await mkdir(directory, { recursive: true });
  const there = (await readdir(directory)).filter((name) => name.endsWith('.tgz'));
  if (there.length === 0) return packAll(directory);
  return Promise.all(there.map((name) => tarballAt(join(directory, name))));
}

/** One after the other: each has a process of npm. @param {string} directory */
async function packAll(directory) {
  const packed = [];
  for (const folder of (await readdir(libs)).sort()) {
    const manifest = JSON.parse(await readFile(join(libs, folder, 'package.json'), 'utf8'));
    if (!manifest.private) packed.push(await pack(join(libs, folder), directory));
  }
  return packed;
}

/**
 * @param {string} folder
 * @param {string} directory
 */
async function pack(folder, directory) {
  // What scripts print would stand in the JSON.
  const words = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', directory];
  const [{ filename, files, size, name }] = JSON.parse(await run('npm', words, folder));
  judgeSize(name, size);
  const tarball = await tarballAt(join(directory, basename(filename)));
  const isLibrary = tarball.manifest.exports !== undefined;
  const library = ['dist/index.js', 'dist/index.d.ts', 'src/index.ts'];
  const paths = files.map(({ path }) => path);
  for (const needed of [
    'CHANGELOG.md',
    'README.md',
    'LICENSE',
    ...(isLibrary ? library : Object.values(tarball.manifest.bin)),
  ])
    if (!paths.includes(needed.replace(/^\.\//, ''))) throw new Error(`${filename} has no ${needed}`);
  const stray = paths.find((path) => path.endsWith('.tsbuildinfo'));
  if (stray) throw new Error(`${filename} carries ${stray}`);
  return tarball;
}

/**
 * @param {string} name
 * @param {number} size
 */
function judgeSize(name, size) {
  const most = budgets[name];
  if (most === undefined) throw new Error(`${name} has no budget of kilobytes in tarballs.mjs`);
  if (size > most * 1000) throw new Error(`${name} has ${size} bytes, compressed, of at most ${most},000`);
}

/** @param {string} path */
async function tarballAt(path) {
  return { path, manifest: JSON.parse(await run('tar', ['-xzOf', path, 'package/package.json'], repo)) };
}

/** @param {readonly Tarball[]} tarballs */
export async function judgeAll(tarballs) {
  for (const { path, manifest } of tarballs) {
    await step(`publint ${manifest.name}`, () => tool('publint', path, '--strict'));
    // A package without exports is a program.
    if (manifest.exports === undefined) continue;
    await step(`attw ${manifest.name}`, () => tool('attw', path, '--profile', 'esm-only'));
  }
}

/**
 * As the workflow publishes them, but for the sending.
 * @param {readonly Tarball[]} tarballs
 */
export async function publishDry(tarballs) {
  const output = await run('npm', ['publish', '--dry-run', '--workspaces'], repo);
  for (const { manifest } of tarballs)
    if (!output.includes(`+ ${manifest.name}@`))
      throw new Error(`npm would not publish ${manifest.name}:\n${output}`);
}
