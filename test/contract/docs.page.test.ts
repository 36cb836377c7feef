import { expect, test } from '@jest/globals';
import { AdvancedSearch, EndpointGroup, SimpleSearch } from '@nest-endpoints/core';
import { DocsPage } from '@nest-endpoints/openapi';
import type { Page, Response } from 'playwright-core';
import { installedBrowser, launchBrowser } from '../support/browser.js';
import { service } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { inBrowserOf } from '../support/in.browser.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';
import { Token } from '../support/token.js';

const { contract } = service(
  libraryWith([
    new EndpointGroup({
      url: 'api',
      endpoints: [
        new DocsPage({ url: 'docs', schemaConfiguration: licensed }),
        authors(),
        books({ authentication: new Token() }),
      ],
    }),
    authors({ url: 'elsewhere' }),
  ]),
);

contract('A docs page is HTML, its scripts and styles are of the service itself', async ({ request }) => {
  const { text, headers } = await request().get('/api/docs');
  expect(headers['content-type']).toBe('text/html; charset=UTF-8');
  expect(text).toContain('<title>Library</title>');
  expect(text).not.toMatch(/https?:/);
  const links = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => String(link));
  expect(links).toHaveLength(4);
  for (const page of ['/api/docs', '/api/docs/'])
    for (const link of links)
      expect((await request().get(new URL(link, `http://x${page}`).pathname)).status).toBe(200);
});

contract('A docs page shows the document of the group it stands in', async ({ request }) => {
  const { body } = await request().get('/api/docs/openapi.json');
  expect(Object.keys(body.paths)).toEqual([
    '/api/authors',
    '/api/authors/{id}',
    '/api/books',
    '/api/books/{id}',
  ]);
});

contract('What is no file of a docs page is Not Found', async ({ request, raw }) => {
  for (const file of ['package.json', '..%2fpackage.json', 'constructor', '__proto__'])
    expect((await raw('GET', `/api/docs/${file}`)).status).toBe(404);
  expect((await request().get('/api/docs/openapi.json')).status).toBe(200);
});

test('A docs page whose url does not end with a word is a start-up error', () => {
  const page = () => new DocsPage({ url: 'docs/:id' });
  expect(page).toThrow(/DocsPage 'docs\/:id': url: must end with a word/);
  const odd = () => new DocsPage({ url: 'docs', schemaFormat: 'x' as never });
  expect(odd).toThrow(/DocsPage 'docs': schemaFormat: 'x' is unknown/);
});

const searched = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

const search = (url: string) => new SimpleSearch({ url, ...searched });

const pages = libraryWith([
  new DocsPage({ url: 'docs', schemaConfiguration: licensed }),
  authors(),
  books({ authentication: new Token() }),
  authors({ url: 'writers', tag: 'people/who write' }),
  authors({ url: 'readers', tag: { name: 'people', description: 'People of the *library*.' } }),
  search('shelves'),
  new AdvancedSearch({ url: 'stock', ...searched, description: 'What is **in** stock.' }),
]);

const inBrowser = inBrowserOf(pages);

const large = { width: 1280, height: 900 } as const;
const small = { width: 390, height: 844 } as const;

/** Opens the page and lets `act` do something with it. */
const withPage = async (
  url: string,
  act: (page: Page) => Promise<void>,
  viewport: typeof large | typeof small = large,
): Promise<void> => {
  const opened = await launchBrowser(String(installedBrowser));
  try {
    const page = await opened.newPage({ viewport });
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    await page.goto(url);
    await page.waitForSelector('.opblock');
    await act(page);
    expect(problems).toEqual([]);
  } finally {
    await opened.close();
  }
};

/** Opens an operation, fills in its body, and sends it. */
const tryOut = async (page: Page, id: string, body?: object): Promise<Response> => {
  const block = page.locator(`.opblock[id$="-${id}"]`);
  await block.locator('.opblock-summary').click();
  await block.getByRole('button', { name: 'Try it out' }).click();
  if (body !== undefined) await block.locator('textarea.body-param__text').fill(JSON.stringify(body));
  const [response] = await Promise.all([
    page.waitForResponse((one) => !one.url().includes('/docs')),
    block.getByRole('button', { name: 'Execute' }).click(),
  ]);
  await block.locator('.live-responses-table').waitFor();
  return response;
};

inBrowser('A docs page lists the operations and sends requests from the browser', async ({ url, save }) => {
  await save(Author, { name: 'Jane Austen' });
  await withPage(`${url}/docs`, async (page) => {
    const summaries = await page.locator('.opblock-summary-description').allTextContents();
    expect(summaries).toEqual(expect.arrayContaining(['List Author records', 'Create a Book']));
    const answer = await tryOut(page, 'listAuthors');
    expect(await answer.json()).toMatchObject({ status: 'success', data: [{ name: 'Jane Austen' }] });
  });
});

inBrowser('A docs page sends the token of its Authorize button', async ({ url }) => {
  await withPage(`${url}/docs/`, async (page) => {
    const refused = await tryOut(page, 'createBooks', { title: 'Emma' });
    expect(refused.status()).toBe(401);
    await page.locator('.auth-wrapper .authorize').first().click();
    await page.locator('.auth-container input').first().fill('open sesame');
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    const block = page.locator('.opblock[id$="-createBooks"]');
    const [created] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith('/books')),
      block.getByRole('button', { name: 'Execute' }).click(),
    ]);
    expect([created.status(), (await created.json()).data.title]).toEqual([201, 'Emma']);
  });
});

inBrowser('A docs page has a box that leaves only the operations that are looked for', async ({ url }) => {
  await withPage(`${url}/docs`, async (page) => {
    const paths = page.locator('.opblock-summary-path');
    expect(await paths.count()).toBe(22);
    const found = async (phrase: string, count: number): Promise<string[]> => {
      await page.locator('.operation-filter-input').fill(phrase);
      await page.locator('.opblock').nth(count).waitFor({ state: 'detached' });
      await page
        .locator('.opblock')
        .nth(count - 1)
        .waitFor();
      return paths.evaluateAll((all) => [
        ...new Set(all.map((one) => String(one.getAttribute('data-path')))),
      ]);
    };
    expect(await found('/writ', 5)).toEqual(['/writers', '/writers/{id}']);
    expect(await found('in** stock', 1)).toEqual(['/stock']);
    expect(await found('who WRITE', 5)).toEqual(['/writers', '/writers/{id}']);
    expect(await found('Create a Book', 1)).toEqual(['/books']);
  });
});

inBrowser('A docs page says what a tag and an open operation are', async ({ url }) => {
  await withPage(`${url}/docs`, async (page) => {
    const tag = page.locator('.opblock-tag[data-tag="people"]');
    expect(await tag.locator('small').innerHTML()).toContain('People of the <em>library</em>.');
    const block = page.locator('.opblock[id$="-searchStockViaPost"]');
    await block.locator('.opblock-summary').click();
    const description = block.locator('.opblock-description');
    await description.waitFor();
    expect(await description.textContent()).toContain('What is in stock.');
  });
});

inBrowser(
  'A docs page has one entry for a search by several methods, the others stand below it',
  async ({ url, save }) => {
    await save(Book, { title: 'Emma' });
    await withPage(`${url}/docs`, async (page) => {
      const at = (path: string) => page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
      const methods = (path: string) => at(path).locator('.opblock-summary-method').allTextContents();
      expect(await methods('/shelves')).toEqual(['GET']);
      expect(await methods('/stock')).toEqual(['POST']);
      await at('/shelves').locator('.opblock-summary').click();
      await at('/shelves').nth(1).waitFor();
      expect(await methods('/shelves')).toEqual(['GET', 'POST']);
      const answer = await tryOut(page, 'listShelvesViaPost', { title: 'Emma' });
      expect(await answer.json()).toMatchObject({ status: 'success', data: [{ title: 'Emma' }] });
      await at('/shelves').first().locator('.opblock-summary').click();
      await at('/shelves').nth(1).waitFor({ state: 'detached' });
    });
  },
);

/** The fragment that the page itself gives an operation. */
const linkOf = async (page: Page, url: string, id: string): Promise<string> => {
  await page.goto(`${url}/docs`);
  await page.waitForSelector('.opblock');
  return String(await page.locator(`.opblock[id$="-${id}"] a`).first().getAttribute('href'));
};

inBrowser('A link of a docs page opens its operation, whatever its tag is called', async ({ url }) => {
  await withPage(`${url}/docs`, async (page) => {
    for (const id of ['listBooks', 'listWriters', 'listReaders']) {
      const link = await linkOf(page, url, id);
      await page.goto('about:blank');
      await page.goto(`${url}/docs${link}`);
      const open = page.locator('.opblock.is-open');
      await open.waitFor();
      expect(await open.getAttribute('id')).toMatch(new RegExp(`-${id}$`));
    }
  });
});

inBrowser(
  'A link to an operation below another one opens both, also while the page is open',
  async ({ url }) => {
    const open = (page: Page) =>
      page.locator('.opblock.is-open').evaluateAll((all) => all.map(({ id }) => id.replace(/^.*-/, '')));
    await withPage(`${url}/docs#/Book/listShelvesViaPost`, async (page) => {
      await page.locator('.opblock.is-open').nth(1).waitFor();
      expect(await open(page)).toEqual(['listShelves', 'listShelvesViaPost']);
      await page.evaluate("location.hash = '#/people/who%20write/createWriters'");
      await page.locator('.opblock.is-open[id$="-createWriters"]').waitFor();
      expect(await open(page)).toEqual(['listShelves', 'listShelvesViaPost', 'createWriters']);
      await page.evaluate("location.hash = '#/%'");
    });
  },
);

inBrowser('Nothing of a docs page stands beyond the edge of a small screen', async ({ url }) => {
  const beyond = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await withPage(
    `${url}/docs`,
    async (page) => {
      expect(await beyond(page)).toBe(0);
      for (const id of ['listBooks', 'createBooks', 'getBooksById']) {
        await page.locator(`.opblock[id$="-${id}"] .opblock-summary`).click();
        await page.locator(`.opblock[id$="-${id}"] .responses-table`).first().waitFor();
      }
      for (const refusals of await page.locator('.refusals > summary').all()) await refusals.click();
      expect(await beyond(page)).toBe(0);
    },
    small,
  );
});

inBrowser('A docs page shows what an operation refuses behind a line that opens', async ({ url }) => {
  await withPage(`${url}/docs`, async (page) => {
    const block = page.locator('.opblock[id$="-createBooks"]');
    await block.locator('.opblock-summary').click();
    const statuses = block.locator('.response-col_status');
    const refusals = block.locator('.refusals > summary');
    await refusals.waitFor();
    expect(await refusals.textContent()).toBe('Refusals: 400, 401, 408, 409, 413, 415, 500, 503');
    expect(await statuses.filter({ hasText: '201' }).isVisible()).toBe(true);
    expect(await statuses.filter({ hasText: '409' }).isVisible()).toBe(false);
    await refusals.click();
    expect(await statuses.filter({ hasText: '409' }).isVisible()).toBe(true);
  });
});
