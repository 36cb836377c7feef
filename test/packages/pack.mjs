// Packs the libraries as npm would publish them, judges the tarballs, and makes an application of them outside the
// repo: it compiles under `strict`, serves an endpoint, and a misspelt column name does not compile; the same as CommonJS.
// Run by `npm run pack:test`, which builds first. Prints one line per step; the exit code tells.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { repo, run, tool } from './command.mjs';
import { step } from './step.mjs';
import { packedLibraries } from './tarballs.mjs';

const sources = join(import.meta.dirname, 'consumer');

/** What the second application needs from npm, each at the version this repo has installed. */
const companions = [
  '@mikro-orm/core',
  '@mikro-orm/nestjs',
  '@mikro-orm/pglite',
  '@mikro-orm/sql',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@types/node',
  'reflect-metadata',
  'rxjs',
  'typescript',
];

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  types: ['node'],
  rootDir: 'src',
  outDir: 'dist',
};

/** In milliseconds, for the application to start and to answer. */
const patience = 60_000;

const place = await mkdtemp(join(tmpdir(), 'nest-endpoints-'));
try {
  const app = join(place, 'app');
  const names = await packAll();
  await makeApp(app, names);
  await step('install the tarballs in an application of their own', () =>
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], app),
  );
  await step('compile it under strict, a misspelt column name refused', () => compile(app));
  await step('check the declarations themselves', () => checkDeclarations(app, [...names.keys()]));
  await step('list its routes on the command line', () => listRoutes(app));
  await step('create a record and read it back', () => serve(app, createAndRead));
  await step('compile the same as CommonJS', () => becomeCommonJs(app));
  await step('create a record and read it back from CommonJS', () => serve(app, createAndRead));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(place, { recursive: true, force: true });
}

/** @returns {Promise<Map<string, string>>} library → tarball */
async function packAll() {
  const libraries = new Map();
  const tarballs = await step('pack the packages', () => packedLibraries(place));
  for (const { path, manifest } of tarballs) {
    await step(`publint ${manifest.name}`, () => tool('publint', path, '--strict'));
    // A package without exports is a program.
    if (manifest.exports === undefined) continue;
    await step(`attw ${manifest.name}`, () => tool('attw', path, '--profile', 'esm-only'));
    libraries.set(manifest.name, path);
  }
  return libraries;
}

/**
 * @param {string} app
 * @param {Map<string, string>} tarballs
 */
async function makeApp(app, tarballs) {
  const dependencies = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  for (const name of companions) {
    dependencies[name] = (await readJson(join(repo, 'node_modules', name, 'package.json'))).version;
  }
  await mkdir(app);
  await cp(sources, join(app, 'src'), { recursive: true });
  await writeJson(join(app, 'package.json'), {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies,
  });
  await writeJson(join(app, 'tsconfig.json'), { compilerOptions, include: ['src'] });
}

/**
 * What most applications of Nest are: no `"type": "module"`, so that TypeScript writes `require`. The modules stay the same.
 * @param {string} app
 */
async function becomeCommonJs(app) {
  const manifest = await readJson(join(app, 'package.json'));
  await writeJson(join(app, 'package.json'), { ...manifest, type: 'commonjs' });
  await rm(join(app, 'dist'), { recursive: true });
  // A module of CommonJS cannot await.
  const main = join(app, 'src/main.ts');
  const [imports, ...statements] = (await readFile(main, 'utf8')).split('\n\n');
  await writeFile(
    main,
    `${imports}\n\nasync function start(): Promise<void> {\n${statements.join('\n\n')}\n}\n\nvoid start();\n`,
  );
  await compile(app);
  const written = await readFile(join(app, 'dist/library.module.js'), 'utf8');
  if (!written.includes('require("@nest-endpoints/core")')) throw new Error('TypeScript wrote no CommonJS');
}

/**
 * @param {string} app
 * @param {string[]} options
 */
function compile(app, ...options) {
  return run(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '--project', '.', '--pretty', 'false', ...options],
    app,
  );
}

/**
 * `skipLibCheck` would turn a broken type of ours into `any` without a word. Declarations of others are not judged.
 * @param {string} app
 * @param {string[]} names
 */
async function checkDeclarations(app, names) {
  const output = await compile(app, '--skipLibCheck', 'false', '--noEmit').catch(({ message }) => message);
  const ours = output
    .split('\n')
    .filter((line) => names.some((name) => line.startsWith(`node_modules/${name}/`)));
  if (ours.length > 0) throw new Error(ours.join('\n'));
}

/**
 * Through the program that npm has linked.
 * @param {string} app
 */
async function listRoutes(app) {
  const output = await run('npx', ['--no', 'nest-endpoints', 'dist/library.module.js', 'routes'], app);
  if (!/^PATCH +\/books\/\{id\} +Update +Book +public$/m.test(output)) throw new Error(output);
}

/**
 * Runs the application while `visit` talks to it.
 * @param {string} app
 * @param {(address: string) => Promise<void>} visit
 */
async function serve(app, visit) {
  const child = spawn(process.execPath, ['dist/main.js'], { cwd: app, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const late = setTimeout(() => child.kill('SIGKILL'), patience);
  try {
    await visit(await addressOf(child));
  } finally {
    child.kill('SIGTERM');
    await exited;
    clearTimeout(late);
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^listening on (\S+)$/.exec(line) ?? [];
    if (!address) continue;
    child.stdout.resume();
    return address;
  }
  throw new Error('the application ended before it listened');
}

/** @param {string} address */
async function createAndRead(address) {
  const book = { title: 'Invisible Cities', page_count: 165 };
  const created = await ask(`${address}/books`, { method: 'POST', body: JSON.stringify(book) });
  const envelope = {
    status: 'success',
    error: '',
    data: { id: 1, ...book },
    pagination: {},
    input_errors: {},
  };
  expect('POST /books', created, { statusCode: 201, body: envelope });
  expect('GET /books/1', await ask(`${address}/books/1`), { statusCode: 200, body: envelope });
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 */
async function ask(url, init) {
  const response = await fetch(url, {
    ...init,
    headers: { 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(patience),
  });
  return { statusCode: response.status, body: await response.json() };
}

/**
 * @param {string} request
 * @param {unknown} actual
 * @param {unknown} expected
 */
function expect(request, actual, expected) {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${request} answered ${JSON.stringify(actual)}\ninstead of ${JSON.stringify(expected)}`);
}

/** @param {string} path */
async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}

/**
 * @param {string} path
 * @param {unknown} value
 */
async function writeJson(path, value) {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
