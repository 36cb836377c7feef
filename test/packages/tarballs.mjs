// The libraries as npm would publish them.
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { repo, run, tool } from './command.mjs';
import { step } from './step.mjs';

const libs = join(repo, 'libs');

/** Files that every tarball has. */
const needed = ['dist/index.js', 'dist/index.d.ts', 'src/index.ts', 'CHANGELOG.md', 'README.md', 'LICENSE'];

/**
 * @param {string} destination
 * @returns {Promise<Map<string, string>>} package name → tarball
 */
export async function packAll(destination) {
  await mkdir(destination);
  const names = new Map();
  for (const folder of await readdir(libs)) {
    const manifest = JSON.parse(await readFile(join(libs, folder, 'package.json'), 'utf8'));
    if (manifest.private) continue;
    const tarball = await step(`pack ${manifest.name}`, () => pack(join(libs, folder), destination));
    names.set(manifest.name, tarball);
  }
  return names;
}

/**
 * @param {string} folder
 * @param {string} destination
 */
async function pack(folder, destination) {
  const [{ filename, files }] = JSON.parse(
    await run('npm', ['pack', '--json', '--pack-destination', destination], folder),
  );
  const paths = files.map(({ path }) => path);
  for (const one of needed) {
    if (!paths.includes(one)) throw new Error(`${filename} has no ${one}`);
  }
  const stray = paths.find((path) => path.endsWith('.tsbuildinfo'));
  if (stray) throw new Error(`${filename} carries ${stray}`);
  return join(destination, basename(filename));
}

/** @param {Map<string, string>} tarballs */
export async function judgeAll(tarballs) {
  for (const [name, tarball] of tarballs) {
    await step(`publint ${name}`, () => tool('publint', tarball, '--strict'));
    await step(`attw ${name}`, () => tool('attw', tarball, '--profile', 'esm-only'));
  }
}

/**
 * As the workflow publishes them, but for the sending.
 * @param {string[]} names
 */
export async function publishDry(names) {
  const output = await run('npm', ['publish', '--dry-run', '--workspaces'], repo);
  for (const name of names)
    if (!output.includes(`+ ${name}@`)) throw new Error(`npm would not publish ${name}:\n${output}`);
}
