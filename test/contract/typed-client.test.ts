import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once as event } from 'node:events';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const run = promisify(execFile);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Below node_modules, so that packages are found from there. */
const folder = here('../../node_modules/.cache/nest-endpoints-client');

const platforms = ['express', 'fastify'] as const;
const running: ChildProcess[] = [];
const urls = new Map<string, string>();

/** The built sample as a process of its own; gives its address once it listens. */
const startSample = async (platform: string): Promise<string> => {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    HTTP_PLATFORM: platform,
    DATA_DIR: join(folder, platform),
    HOST: '127.0.0.1',
    PORT: '0',
  };
  const child = spawn(process.execPath, [here('../../apps/sample/dist/main.js')], { env });
  running.push(child);
  let output = '';
  for await (const text of child.stdout) {
    output += String(text);
    const url = /listens on (\S+)\. Try:/.exec(output)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('The sample ended instead of listening');
};

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const platform of platforms) urls.set(platform, await startSample(platform));
}, 180_000);

afterAll(async () => {
  for (const child of running) {
    const ended = event(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

test('The types that openapi-typescript makes of the sample’s document compile under strict, and the sample answers so', async () => {
  const document = await fetch(`${String(urls.get('express'))}/schema`);
  await cp(here('../clients'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'openapi.json'), await document.text());
  const cwd = here('..');
  const env = { ...process.env, NODE_OPTIONS: '' };
  const [source, target] = [join(folder, 'openapi.json'), join(folder, 'atlas.schema.ts')];
  await run('npx', ['--no-install', 'openapi-typescript', source, '-o', target], { cwd, env });
  await run('npx', ['--no-install', 'tsc', '-p', folder], { cwd, env }).catch((error: unknown) => {
    throw new Error(String(Reflect.get(Object(error), 'stdout')));
  });
  for (const url of urls.values()) {
    const { stdout } = await run(process.execPath, [join(folder, 'atlas.client.js'), url], { env });
    expect(stdout).toBe('The client and the service agree.\n');
  }
}, 180_000);

test.each(platforms)('The sample serves its document and its docs page on %s', async (platform) => {
  const url = String(urls.get(platform));
  const [schema, docs, bundle] = await Promise.all(
    ['/schema', '/docs', '/docs/swagger-ui-bundle.js'].map((path) => fetch(url + path)),
  );
  expect([schema?.status, docs?.status, bundle?.status]).toEqual([200, 200, 200]);
  expect(await docs?.text()).toContain('<title>Atlas</title>');
  expect(await schema?.json()).toMatchObject({ info: { title: 'Atlas' }, paths: { '/trips/{id}': {} } });
});
