import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once as event } from 'node:events';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installedBrowser, launchBrowser } from '../support/browser.js';

const run = promisify(execFile);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Below node_modules, so that packages are found from there. */
const folder = here('../../node_modules/.cache/nest-endpoints-client');
const env = { ...process.env, NODE_OPTIONS: '' };

/** The sample loads its records first, which takes minutes on a busy machine. */
const patience = 600_000;

const running = new Set<ChildProcess>();

const stop = async (child: ChildProcess): Promise<void> => {
  running.delete(child);
  if (child.exitCode !== null) return;
  const ended = event(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** The built sample as a process of its own, over the same records each time; gives its address once it listens. */
const startSample = async (platform: string): Promise<{ url: string; child: ChildProcess }> => {
  const settings = { HTTP_PLATFORM: platform, DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: '0' };
  const main = here('../../apps/sample/dist/main.js');
  const child = spawn(process.execPath, [main], { env: { ...env, DATABASE_URL: '', ...settings } });
  running.add(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      const found = /listens on (\S+)\. Try:/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    child.on('exit', () => reject(new Error(`The sample ended instead of listening: ${output}`)));
  });
  return { url, child };
};

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
});

afterAll(async () => {
  for (const child of running) await stop(child);
  await rm(folder, { recursive: true, force: true });
}, patience);

/** Makes types of the document, and a program of the client that is written against them. */
const compileClient = async (url: string): Promise<void> => {
  const document = await fetch(`${url}/schema`);
  await cp(here('../clients'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'openapi.json'), await document.text());
  const [source, target] = [join(folder, 'openapi.json'), join(folder, 'atlas.schema.ts')];
  const cwd = here('..');
  await run('npx', ['--no-install', 'openapi-typescript', source, '-o', target], { cwd, env });
  await run('npx', ['--no-install', 'tsc', '-p', folder], { cwd, env }).catch((error: unknown) => {
    throw new Error(String(Reflect.get(Object(error) as object, 'stdout')));
  });
};

test(
  'A client with types of the document compiles under strict, and agrees with the service on both platforms',
  async () => {
    for (const platform of ['express', 'fastify']) {
      const { url, child } = await startSample(platform);
      if (platform === 'express') await compileClient(url);
      const { stdout } = await run(process.execPath, [join(folder, 'atlas.client.js'), url], { env });
      expect(stdout).toBe('The client and the service agree.\n');
      const schema = await (await fetch(`${url}/schema`)).json();
      expect(schema).toMatchObject({ info: { title: 'Atlas' }, paths: { '/trips/{id}': {} } });
      expect(await (await fetch(`${url}/docs`)).text()).toContain('<title>Atlas</title>');
      expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200);
      await stop(child);
    }
  },
  patience,
);

(installedBrowser === undefined ? test.skip : test)(
  'What is written in one browser is seen in another, and what is thrown away there goes from both',
  async () => {
    const { url, child } = await startSample('fastify');
    const opened = await launchBrowser(String(installedBrowser));
    try {
      const open = async () => {
        const page = await (await opened.newContext()).newPage();
        await page.goto(`${url}/postcards/page`);
        return page;
      };
      const [one, other] = [await open(), await open()];
      const text = `From ${String(process.pid)}`;
      await one.getByPlaceholder('Wish you were here').fill(text);
      await one.getByPlaceholder('Nice').fill('Monaco');
      await one.getByRole('button', { name: 'Send' }).click();
      const card = other.locator('li', { hasText: text });
      await card.waitFor();
      expect(await one.locator('li', { hasText: text }).count()).toBe(1);
      await card.getByRole('button').click();
      await one.locator('li', { hasText: text }).waitFor({ state: 'detached' });
      await card.waitFor({ state: 'detached' });
    } finally {
      await opened.close();
      await stop(child);
    }
  },
  patience,
);
