// Packs the libraries as npm would publish them, judges the tarballs, and makes applications of them outside the repo: with
// Nest 12 and 11, of ES modules and of CommonJS. Each compiles under `strict`, with a misspelt column name refused, answers
// on Express or on Fastify, and passes a test with Vitest or with Jest. The example of the README is one of them. What was
// compiled with Nest 11 also answers on the oldest version of it.
// Run by `npm run pack:test`, which builds first. Prints one line per step; the exit code tells.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compileStrictly,
  compileToCommonJs,
  install,
  isJestReady,
  listRoutes,
  makeApplication,
  testWithJest,
  testWithVitest,
} from './applications.mjs';
import { addReadme, runReadme } from './readme.mjs';
import { createAndRead, serve } from './serving.mjs';
import { step } from './step.mjs';
import { judgeAll, packedLibraries, publishDry } from './tarballs.mjs';
import { countVersions } from './versions.mjs';

const place = await mkdtemp(join(tmpdir(), 'nest-endpoints-'));
try {
  const packed = await step('pack the packages', () => packedLibraries(place));
  const libraries = packed.filter(({ manifest }) => manifest.exports !== undefined);
  const tarballs = new Map(libraries.map(({ path, manifest }) => [manifest.name, path]));
  const names = [...tarballs.keys()];
  // Installing waits for the network and the disk, judging for a core.
  const outcomes = await Promise.allSettled([
    judge(packed),
    tryWith('12', tarballs, names),
    tryWith('11', tarballs, names).then(() => tryOldest('11.0.5', '11', tarballs)),
  ]);
  for (const { status, reason } of outcomes) if (status === 'rejected') tell(reason);
} catch (error) {
  tell(error);
} finally {
  await rm(place, { recursive: true, force: true });
}

/** @param {unknown} error */
function tell(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @param {readonly import('./tarballs.mjs').Tarball[]} tarballs */
async function judge(tarballs) {
  await judgeAll(tarballs);
  await step('publish them, but for the sending', () => publishDry(tarballs));
  for (const bump of ['patch', 'minor'])
    await step(`count a ${bump}`, () => countVersions(join(place, bump), bump));
}

/**
 * @param {string} nest
 * @param {Map<string, string>} tarballs
 * @param {string[]} names
 */
async function tryWith(nest, tarballs, names) {
  const installation = join(place, `nest-${nest}`);
  const on = (sentence, act) => step(`Nest ${nest}: ${sentence}`, act);
  await on('install the tarballs', () => install(installation, nest, tarballs, { withTools: true }));
  const modules = await makeApplication(installation, 'module');
  const isNewest = nest === '12';
  if (isNewest) await addReadme(modules);
  await on('compile ES modules', () => compileStrictly(modules, names));
  await on('list routes on the command line', () => listRoutes(modules));
  await on('answer from ES modules on Express', () => serve(modules, ['dist/main.js'], createAndRead));
  if (isNewest) await on('run the example of the README', () => runReadme(modules));
  await on('test ES modules with Vitest', () => testWithVitest(modules));
  const common = await makeApplication(installation, 'commonjs');
  await on('compile CommonJS', () => compileToCommonJs(common));
  await on('answer from CommonJS on Fastify', () =>
    serve(common, ['dist/main.js', 'fastify'], createAndRead),
  );
  if (isJestReady) await on('test CommonJS with Jest', () => testWithJest(common));
  else console.log(`left out Nest ${nest}: test CommonJS with Jest, which wants Node 24.9 for it`);
}

/**
 * With what the newest of the same major version has compiled.
 * @param {string} nest
 * @param {string} compiledWith
 * @param {Map<string, string>} tarballs
 */
async function tryOldest(nest, compiledWith, tarballs) {
  const installation = join(place, `nest-${nest}`);
  const on = (sentence, act) => step(`Nest ${nest}: ${sentence}`, act);
  await on('install the tarballs', () => install(installation, nest, tarballs, { withTools: false }));
  const app = join(installation, 'module');
  await cp(join(place, `nest-${compiledWith}`, 'module'), app, { recursive: true });
  await on('answer on Express', () => serve(app, ['dist/main.js'], createAndRead));
  await on('answer on Fastify', () => serve(app, ['dist/main.js', 'fastify'], createAndRead));
}
