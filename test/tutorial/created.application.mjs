import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
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
    env,
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
 * The application without what a help desk is about: it compiles, its test passes, and so does that of a first endpoint.
 * @param {string} directory
 * @param {string} name
 * @param {Map<string, string>} kept
 * @param {NodeJS.ProcessEnv} env
 */
export async function expectEmptyApplication(directory, name, kept, env) {
  const files = await filesOf(directory);
  const manifest = JSON.parse(files.get('package.json'));
  const unexpected = [...files].filter(
    ([path, text]) => /helpdesk|ticket|team|comment/i.test(path) || /helpdesk|nodemailer/.test(text),
  );
  if (unexpected.length > 0 || manifest.name !== name)
    throw new Error(`${name} is a help desk still: ${unexpected.map(([path]) => path).join(', ')}`);
  for (const path of ['Dockerfile', 'src/main.ts', 'src/login.ts', 'src/token.ts'])
    if (files.get(path) !== kept.get(path)) throw new Error(`${path} is not that of the help desk`);
  const run = (...words) => promisify(execFile)('npx', words, { cwd: directory, env, timeout: 300_000 });
  await run('nest', 'g', '-c', '@nest-endpoints/core', 'endpoint', 'city');
  await promisify(execFile)('npm', ['run', 'build'], { cwd: directory, env, timeout: 300_000 });
  const { stdout } = await promisify(execFile)('npm', ['run', 'test:e2e'], {
    cwd: directory,
    env,
    timeout: 300_000,
  });
  if (!/Tests +2 passed \(2\)/.test(stripVTControlCharacters(stdout))) throw new Error(stdout);
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
