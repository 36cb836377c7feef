// Applications of the tarballs, outside the repo: one installation for each version of Nest, with an application of ES modules
// and one of CommonJS in it, which share it. All have the sources of `consumer/`.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repo, run } from './command.mjs';

const sources = join(import.meta.dirname, 'consumer');

/** Packages that applications need from npm, each at the version this repo has installed. */
const companions = [
  '@mikro-orm/core',
  '@mikro-orm/nestjs',
  '@mikro-orm/pglite',
  '@mikro-orm/sql',
  'reflect-metadata',
  'rxjs',
];

/** What building and testing needs. */
const tools = ['@types/node', 'jest', 'typescript'];

/** The packages of Nest, at the newest of a major version; undefined for the version this repo has installed. */
const nests = {
  12: {
    '@nestjs/common': undefined,
    '@nestjs/core': undefined,
    '@nestjs/platform-express': undefined,
    '@nestjs/platform-fastify': undefined,
    '@nestjs/testing': undefined,
  },
  11: {
    '@nestjs/common': '11.2.10',
    '@nestjs/core': '11.2.10',
    '@nestjs/platform-express': '11.2.10',
    '@nestjs/platform-fastify': '11.2.8',
    '@nestjs/testing': '11.2.6',
  },
  // The oldest that the packages take.
  '11.0.5': {
    '@nestjs/common': '11.0.5',
    '@nestjs/core': '11.0.5',
    '@nestjs/platform-express': '11.0.5',
    '@nestjs/platform-fastify': '11.0.5',
  },
};

/** The test runner that is not installed in this repo. */
const vitest = '5.1.0';

/** As in an application of the Nest CLI. */
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

/**
 * @param {string} folder
 * @param {keyof nests} nest
 * @param {Map<string, string>} tarballs
 * @param {{ withTools: boolean }} options
 */
export async function install(folder, nest, tarballs, { withTools }) {
  const dependencies = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  for (const name of [...companions, ...(withTools ? tools : [])])
    dependencies[name] = await installedVersion(name);
  for (const [name, version] of Object.entries(nests[nest]))
    dependencies[name] = version ?? (await installedVersion(name));
  if (withTools) dependencies.vitest = vitest;
  await mkdir(folder);
  await writeJson(join(folder, 'package.json'), { name: `nest-${nest}`, private: true, dependencies });
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], folder);
}

/** @param {string} name */
async function installedVersion(name) {
  const manifest = await readFile(join(repo, 'node_modules', name, 'package.json'), 'utf8');
  return JSON.parse(manifest).version;
}

/**
 * Most applications have no `"type": "module"`, so that TypeScript writes `require`. The sources are the same.
 * @param {string} installation
 * @param {'module' | 'commonjs'} type
 */
export async function makeApplication(installation, type) {
  const app = join(installation, type);
  await cp(sources, join(app, 'src'), { recursive: true });
  await writeJson(join(app, 'package.json'), { name: type, private: true, type });
  await writeJson(join(app, 'tsconfig.json'), { compilerOptions, include: ['src'] });
  return app;
}

/**
 * `skipLibCheck` would turn a broken type of ours into `any` without a word. Declarations of others are not judged.
 * @param {string} app
 * @param {string[]} names
 */
export async function compileStrictly(app, names) {
  const output = await compile(app, '--skipLibCheck', 'false').catch(({ message }) => message);
  const problems = output
    .split('\n')
    .filter((line) => /: error TS\d+/.test(line))
    .filter((line) => !line.includes('node_modules/') || names.some((name) => line.includes(`/${name}/`)));
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** @param {string} app */
export async function compileToCommonJs(app) {
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
    ['../node_modules/typescript/bin/tsc', '--project', '.', '--pretty', 'false', ...options],
    app,
  );
}

/**
 * Through the program that npm has linked.
 * @param {string} app
 */
export async function listRoutes(app) {
  const output = await run('../node_modules/.bin/nest-endpoints', ['dist/library.module.js', 'routes'], app);
  if (!/^PATCH +\/books\/\{id\} +Update +Book +public +–$/m.test(output)) throw new Error(output);
}

/** @param {string} app */
export async function testWithVitest(app) {
  const words = ['run', '--root', '.', '--globals', 'src/library.spec.ts'];
  const output = await run(process.execPath, ['../node_modules/vitest/vitest.mjs', ...words], app);
  if (!/Tests +1 passed \(1\)/.test(stripVTControlCharacters(output))) throw new Error(output);
}

/** What Jest needs in order to require ES modules. */
export const isJestReady = (() => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 9);
})();

/**
 * Of what TypeScript wrote, because a transformer has nothing to do with the packages.
 * @param {string} app
 */
export async function testWithJest(app) {
  const config = JSON.stringify({ rootDir: 'dist', testMatch: ['**/*.spec.js'], transform: {} });
  const words = [
    '--experimental-vm-modules',
    '../node_modules/jest/bin/jest.js',
    '--config',
    config,
    '--json',
  ];
  const { numPassedTests, numTotalTests } = JSON.parse(await run(process.execPath, words, app));
  if (numPassedTests !== 1 || numTotalTests !== 1)
    throw new Error(`${numPassedTests} of ${numTotalTests} tests passed`);
}

/**
 * @param {string} path
 * @param {unknown} value
 */
async function writeJson(path, value) {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
