import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compareFiles, filesOf } from './application.files.mjs';

/**
 * `npm create nest-endpoints`, which npm takes for `npm exec create-nest-endpoints`, from a tarball.
 * @param {string} place
 * @param {NodeJS.ProcessEnv} env
 * @param {string} tarball
 */
export function createCommand(place, env, tarball) {
  const cwd = join(place, 'created');
  const words = ['exec', '--yes', `--package=${tarball}`, '--', 'create-nest-endpoints'];
  return {
    cwd,
    async run(...flags) {
      await mkdir(cwd, { recursive: true });
      return promisify(execFile)('npm', [...words, ...flags], { cwd, env, timeout: 300_000 });
    },
    /** The same at a terminal, where somebody types. */
    async type(text) {
      await mkdir(cwd, { recursive: true });
      const command = ['npm', ...words].map((word) => `'${word}'`).join(' ');
      const line = `printf '${text}' | script --quiet --return --command "${command}" /dev/null`;
      return promisify(execFile)('bash', ['-o', 'pipefail', '-c', line], { cwd, env, timeout: 300_000 });
    },
  };
}

/**
 * The application with the name of its directory.
 * @param {string} directory
 * @param {string} name
 * @param {Map<string, string>} kept
 */
export async function expectSameApplication(directory, name, kept) {
  const expected = new Map(kept);
  const manifest = JSON.parse(kept.get('package.json'));
  expected.set('package.json', `${JSON.stringify({ ...manifest, name }, null, 2)}\n`);
  compareFiles(await filesOf(directory), expected, { made: 'what was created', kept: 'apps/helpdesk' });
}

/**
 * @param {ReturnType<typeof createCommand>} create
 * @param {RegExp} complaint
 * @param {string[]} flags
 */
export async function expectRefusal(create, complaint, ...flags) {
  const { code, stderr } = await create.run(...flags).catch((error) => error);
  if (code === undefined || code === 0 || !complaint.test(stderr))
    throw new Error(`create-nest-endpoints ${flags.join(' ')} ended with ${code}: ${stderr}`);
}

/** A directory that somebody uses already. @param {string} directory */
export async function occupy(directory) {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'mine.txt'), 'mine');
  return async () => {
    if ((await readFile(join(directory, 'mine.txt'), 'utf8')) !== 'mine')
      throw new Error('mine.txt has changed');
  };
}
