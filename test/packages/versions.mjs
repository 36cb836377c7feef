// How the next version would be numbered: in a copy of the manifests, with changes that are made up. A minor change of one package
// must not make 1.0.0 of those that ask for it, and all keep one version.
import { cp, glob, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repo, run } from './command.mjs';

const manifests = ['package.json', 'libs/*/package.json', 'apps/sample/package.json', 'test/package.json'];

/**
 * @param {string} folder
 * @param {'patch' | 'minor'} bump
 */
export async function countVersions(folder, bump) {
  const paths = await Array.fromAsync(glob(manifests, { cwd: repo, exclude: ['**/node_modules'] }));
  for (const path of [...paths, '.changeset/config.json']) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(repo, path), join(folder, path));
  }
  await writeFile(
    join(folder, '.changeset/made-up.md'),
    `---\n'@nest-endpoints/core': ${bump}\n---\n\nMade up\n`,
  );
  // By its lock file changesets knows that npm has the workspaces.
  await writeFile(join(folder, 'package-lock.json'), '{}\n');
  await symlink(join(repo, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, '.gitignore'), 'node_modules\n');
  const author = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org'];
  await run('git', ['init', '--quiet', '--initial-branch=main'], folder);
  await run('git', ['add', '.'], folder);
  await run('git', [...author, 'commit', '--quiet', '--message', 'Made up'], folder);
  await run(join(repo, 'node_modules/.bin/changeset'), ['version'], folder);
  for (const path of paths.filter((one) => one.startsWith('libs/'))) await judge(folder, path, bump);
  await rm(folder, { recursive: true });
}

/**
 * @param {string} folder
 * @param {string} path
 * @param {'patch' | 'minor'} bump
 */
async function judge(folder, path, bump) {
  const before = JSON.parse(await readFile(join(repo, path), 'utf8'));
  const after = JSON.parse(await readFile(join(folder, path), 'utf8'));
  const [major, minor, patch] = before.version.split('.').map(Number);
  const expected = bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
  if (after.version !== expected) throw new Error(`${path}: ${after.version} instead of ${expected}`);
  const ranges = Object.entries({ ...after.dependencies, ...after.peerDependencies });
  for (const [name, range] of ranges)
    if (name.startsWith('@nest-endpoints/') && range !== `^${expected}`)
      throw new Error(`${path}: ${name} ${range} instead of ^${expected}`);
}
