// What the root's scripts start: `node bench/prepare.mjs [program] [options]`. It needs nothing but Node and the root's
// packages, builds the library, brings the benchmark's own packages up to date, and runs a program of this folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const libraries = ['core', 'auth', 'limits'].map((name) => ({
  name,
  source: `${here}../libs/${name}/`,
  installed: `${here}node_modules/@nest-endpoints/${name}/`,
}));
const stamp = `${here}node_modules/.installed`;

function run(command, parameters, directory = here) {
  const { status, error } = spawnSync(command, parameters, { cwd: directory, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Everything that decides what `npm ci` installs, but for the library's code, which is copied each time. */
function wanted() {
  const hash = createHash('sha256').update(process.version);
  const manifests = libraries.map(({ source }) => `${source}package.json`);
  for (const file of [`${here}package-lock.json`, `${here}.npmrc`, ...manifests])
    hash.update(readFileSync(file));
  return hash.digest('hex');
}

function install() {
  const hash = wanted();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  run('npm', ['ci', '--no-progress']);
  writeFileSync(stamp, hash);
}

function copyLibraries() {
  for (const { source, installed } of libraries) {
    rmSync(`${installed}dist`, { recursive: true, force: true });
    cpSync(`${source}dist`, `${installed}dist`, { recursive: true });
  }
}

const [, , program, ...parameters] = process.argv;
run('tsc', ['-b', ...libraries.map(({ name }) => `libs/${name}`)], `${here}..`);
install();
copyLibraries();
if (program !== undefined) run(process.execPath, [`${here}${program}`, ...parameters]);
