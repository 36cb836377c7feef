import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { field, installedBrowser, launchBrowser } from '../support/browser.js';
import { startPages, startSample, stopPrograms } from '../support/programs.js';

const run = promisify(execFile);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Below node_modules, so that packages are found from there. */
const folder = here('../../node_modules/.cache/nest-endpoints-client');
const data = join(folder, 'data');
const env = { ...process.env, NODE_OPTIONS: '' };

/** The sample loads its records first, which takes minutes on a busy machine. */
const patience = 600_000;

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
});

afterAll(async () => {
  await stopPrograms();
  await rm(folder, { recursive: true, force: true });
}, patience);

/** Makes types of the document, and a program and a page that are written against them. */
const compileClient = async (url: string): Promise<void> => {
  const document = await fetch(`${url}/schema`);
  await cp(here('../clients'), folder, { recursive: true });
  await cp(here('../../apps/front-ends/src/typed'), folder, { recursive: true });
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
      const { url, stop } = await startSample(platform, data);
      if (platform === 'express') await compileClient(url);
      const { stdout } = await run(process.execPath, [join(folder, 'atlas.client.js'), url], { env });
      expect(stdout).toBe('The client and the service agree.\n');
      const schema = await (await fetch(`${url}/schema`)).json();
      expect(schema).toMatchObject({ info: { title: 'Atlas' }, paths: { '/trips/{id}': {} } });
      expect(await (await fetch(`${url}/docs`)).text()).toContain('<title>Atlas</title>');
      expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200);
      await stop();
    }
  },
  patience,
);

(installedBrowser === undefined ? test.skip : test)(
  'What is written in one browser is seen in another, and what is thrown away there goes from both',
  async () => {
    const { url, stop } = await startSample('fastify', data);
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
      await stop();
    }
  },
  patience,
);
/** What a page works with. */
interface Visit {
  readonly page: Page;
  /** The address of the pages. */
  readonly url: string;
}

const sentence =
  'Pages of react-admin, refine and TanStack Query find, write and keep apart what others wrote';

// Where there is no browser, the sentence is skipped and says so.
if (installedBrowser === undefined)
  test.skip(`${sentence}: no Chromium is installed (apt-get install chromium)`, () => undefined);
else
  test(
    sentence,
    async () => {
      const dist = join(folder, 'pages');
      // react-admin has no tests for providers of others: while one develops, it checks each answer of theirs.
      const building = { env: { ...env, NODE_ENV: 'development' } };
      await run(process.execPath, [here('../../apps/front-ends/build.mjs'), dist], building);
      const { url } = await startPages(dist, (await startSample('express', data)).url);
      const browser = await launchBrowser(String(installedBrowser));
      try {
        const page = await browser.newPage();
        const problems: string[] = [];
        page.on('pageerror', ({ message }) => problems.push(message));
        page.on('console', (line) => {
          if (line.text().includes('dataProvider')) problems.push(line.text());
        });
        for (const visit of [visitReactAdmin, visitRefine, visitQuery]) await visit({ page, url });
        expect(problems).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    patience,
  );

/** Somebody else changes a trip, or makes one. */
const elsewhere = async (
  url: string,
  method: string,
  path: string,
  body: object,
): Promise<{ id: string }> => {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/${path}`, { method, headers, body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
  return ((await answer.json()) as { data: { id: string } }).data;
};

async function visitReactAdmin({ page, url }: Visit): Promise<void> {
  for (const number of [1, 2, 3, 4, 5, 6])
    await elsewhere(url, 'POST', 'trips', { title: `Trip ${number}`, starts_on: `2030-01-0${number}` });
  await page.goto(`${url}/react-admin.html`);
  await page.getByText('6 trips, page 1').waitFor();
  expect(await page.locator('li a').allInnerTexts()).toEqual([
    'Trip 6',
    'Trip 5',
    'Trip 4',
    'Trip 3',
    'Trip 2',
  ]);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('6 trips, page 2').waitFor();
  await page.getByRole('link', { name: 'Trip 1' }).waitFor();

  await page.getByRole('link', { name: 'New trip' }).click();
  await field(page, 'starts_on').fill('2031-01-01');
  await field(page, 'rating').fill('9');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText("'title' is required.").waitFor();
  await page.getByText('value should be at most 5').waitFor();
  await field(page, 'title').fill('A week in Nice');
  await field(page, 'rating').fill('4');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('7 trips').waitFor();

  // Shown at once, and taken back: somebody else has changed the trip since the form was opened.
  await field(page, 'Title').fill('A week in Nice');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('1 trips').waitFor();
  await page.getByRole('link', { name: 'A week in Nice' }).click();
  await field(page, 'rating').waitFor();
  const [, id = ''] = /#\/trips\/(.+)$/.exec(page.url()) ?? [];
  await expectValue(page, 'rating', '4');
  await elsewhere(url, 'PATCH', `trips/${id}`, { rating: 1 });
  await field(page, 'title').fill('Overwritten');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed this record in the meantime.').waitFor();
  const kept = (await (await fetch(`${url}/api/trips/${id}`)).json()) as { data: object };
  expect(kept.data).toMatchObject({ rating: 1 });

  await page.goto(`${url}/react-admin.html#/trips`);
  await page.getByLabel('Select A week in Nice').check();
  await page.getByRole('button', { name: 'Delete selected' }).click();
  await page.getByText('0 trips').waitFor();
  expect((await fetch(`${url}/api/trips/${id}`)).status).toBe(404);
}

async function visitRefine({ page, url }: Visit): Promise<void> {
  await page.goto(`${url}/refine.html`);
  await page.getByText('Shanghai: 22315474').waitFor();
  await field(page, 'Name').fill('ROM');
  await page.getByRole('button', { name: 'Search in Europe' }).click();
  await page.getByText('Rome: 2318895').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('page 2').waitFor();

  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText("title: 'title' is required.", { exact: true }).waitFor();
  await field(page, 'title').fill('By refine');
  await field(page, 'starts_on').fill('2031-01-01');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Change' }).waitFor();
  await expectValue(page, 'title', 'By refine');
  const found = (await (await fetch(`${url}/api/trips?title=By refine`)).json()) as {
    data: { id: string }[];
  };
  await elsewhere(url, 'PATCH', `trips/${String(found.data[0]?.id)}`, { rating: 1 });
  await field(page, 'title').fill('Overwritten');
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByText('Somebody else has changed this record in the meantime.').waitFor();
}

async function visitQuery({ page, url }: Visit): Promise<void> {
  await page.goto(`${url}/query.html`);
  await page.getByText('By refine').waitFor();
  expect(await page.locator('li').count()).toBe(3);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByText('Trip 2').waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText("'title' is required.").waitFor();
  await field(page, 'title').fill('By TanStack Query');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('li', { hasText: 'By TanStack Query' }).waitFor();
}

/** Waits for what a form shows once it has read its record. */
async function expectValue(page: Page, label: string, value: string): Promise<void> {
  const wanted = JSON.stringify([label, value]);
  await page.waitForFunction(`[...document.querySelectorAll('input')].some(
    (input) => JSON.stringify([input.labels[0]?.textContent ?? input.ariaLabel, input.value]) === ${JSON.stringify(wanted)},
  )`);
}
