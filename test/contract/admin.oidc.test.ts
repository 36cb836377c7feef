import { afterAll, expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdminPage } from '@nest-endpoints/admin';
import { EndpointGroup, Public, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import type { Page } from 'playwright-core';
import { licensed } from '../support/documents.js';
import { inBrowserOf } from '../support/in.browser.js';
import { picture, withAdmin } from './admin.browser.js';
import { asked, desk, issuer, provideFor, stopProvider } from './admin.oidc.js';
import { City } from './admin.world.js';

afterAll(stopProvider);

const Berth = defineEntity({
  name: 'Berth',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(20),
    city: () => p.manyToOne(City).ref(),
  },
});

const inBrowser = inBrowserOf({
  entities: [City, Berth],
  endpoints: [
    new EndpointGroup({
      url: 'inside',
      authentication: desk,
      endpoints: [
        new Schema({ url: 'schema', schemaConfiguration: licensed }),
        new AdminPage({
          url: 'admin',
          title: 'Travel desk',
          authentication: new Public(),
          login: { issuer, clientId: 'travel-desk', scope: 'openid' },
        }),
        new RestfulApi({
          url: 'cities',
          modelClass: City,
          readableColumnNames: ['id', 'name'],
          writeableColumnNames: ['name'],
          sortableColumnNames: ['name'],
          searchableColumnNames: ['name'],
          defaultSortColumnName: 'name',
        }),
        new RestfulApi({
          url: 'berths',
          modelClass: Berth,
          readableColumnNames: ['id', 'name', 'cityId'],
          writeableColumnNames: ['name', 'cityId'],
          sortableColumnNames: ['name'],
          searchableColumnNames: ['name'],
          defaultSortColumnName: 'name',
        }),
      ],
    }),
  ],
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const logIn = async (page: Page): Promise<void> => {
  await button(page, 'Log in').click();
  await page.locator('input[name="login"]').fill('ann');
  await page.locator('input[name="password"]').fill('whatever');
  await page.getByRole('button', { name: /sign-in/i }).click();
  await page.getByRole('button', { name: /continue/i }).click();
};

inBrowser('Who logs in at an identity provider comes back with a token, by PKCE', async (subject) => {
  const { url, save } = subject;
  await save(City, { name: 'Menton' });
  const address = `${url}/inside/admin`;
  provideFor(address);
  await withAdmin(`${address}#/inside/cities/create`, async (page) => {
    await logIn(page);
    // Back where they were.
    await page.locator('input[name="name"]').waitFor();
    expect(page.url()).toBe(`${address}#/inside/cities/create`);
    await page.goto(`${address}#/inside/cities`);
    await page.getByText('Menton').waitFor();
    await picture(page, 'inside');
    await page.reload();
    await page.getByText('Menton').waitFor();
    const begun = asked.find((one) => one.url.startsWith('/auth?'));
    const query = new URL(begun?.url ?? '', issuer).searchParams;
    expect([query.get('response_type'), query.get('code_challenge_method')]).toEqual(['code', 'S256']);
    const [token, ...others] = asked.filter((one) => one.url === '/token' && one.form.size > 0);
    expect(others).toEqual([]);
    expect(token?.form.get('code_verifier')).toMatch(/^[\w.~-]{43,}$/);
    expect(token?.form.get('client_secret')).toBeNull();
    await breakToken(page);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await button(page, 'Log in').waitFor();
  });
});

/** Puts other members into what the page keeps of whoever has logged in. */
const keepOther = async (page: Page, members: object): Promise<void> => {
  await page.evaluate(`
    for (const [name, text] of Object.entries(sessionStorage))
      if (name.startsWith('oidc.user:'))
        sessionStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), ...${JSON.stringify(members)} }));
  `);
};

/** As a token that the provider has taken back: the service does not believe it. */
const breakToken = (page: Page): Promise<void> => keepOther(page, { access_token: 'broken' });

/** As a token whose time is over, so that it is renewed. */
const endToken = (page: Page): Promise<void> => keepOther(page, { expires_at: 1 });

/** The renewals that the provider was asked for. */
const renewals = (): number =>
  asked.filter(({ url, form }) => url === '/token' && form.get('grant_type') === 'refresh_token').length;

inBrowser('Requests that need a new token at the same time renew it once', async (subject) => {
  const { url, save } = subject;
  const city = await save(City, { name: 'Menton' });
  await save(Berth, { name: 'Quay', city });
  const address = `${url}/inside/admin`;
  provideFor(address);
  await withAdmin(`${address}#/inside/berths`, async (page) => {
    await logIn(page);
    await page.getByText('Menton').first().waitFor();
    const before = renewals();
    await endToken(page);
    const answers = ['berths', 'cities'].map((name) =>
      page.waitForResponse((one) => one.url().includes(`/inside/${name}`)),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    const codes = (await Promise.all(answers)).map((answer) => answer.status());
    expect([codes, renewals() - before]).toEqual([[200, 200], 1]);
    await page.getByText('Menton').first().waitFor();
  });
});

inBrowser('A form stays when its token cannot be renewed now', async (subject) => {
  const { url, count } = subject;
  const address = `${url}/inside/admin`;
  provideFor(address);
  await withAdmin(`${address}#/inside/cities/create`, async (page) => {
    await logIn(page);
    const name = page.locator('input[name="name"]');
    await name.fill('Menton');
    await endToken(page);
    await page.route(`${issuer}/token`, (route) => route.abort());
    await button(page, 'Save').click();
    await page.getByText('Failed to fetch').waitFor();
    await page.route(`${issuer}/token`, (route) =>
      route.fulfill({
        status: 500,
        json: { error: 'server_error' },
        headers: { 'Access-Control-Allow-Origin': '*' },
      }),
    );
    await button(page, 'Save').click();
    await page.getByText('server_error').waitFor();
    expect(await name.inputValue()).toBe('Menton');
    await page.unrouteAll();
    await button(page, 'Save').click();
    await name.waitFor({ state: 'detached' });
    expect(await count(City)).toBe(1);
  });
});

inBrowser('An answer that the page has not asked for logs nobody in', async (subject) => {
  const { url } = subject;
  const address = `${url}/inside/admin`;
  provideFor(address);
  await withAdmin(`${address}?code=stolen&state=made-up`, async (page) => {
    await page.getByText('That did not work. Log in once more.').waitFor();
    expect(page.url()).toBe(address);
    await page.goto(`${address}?error=access_denied&state=made-up`);
    await page.getByText('That did not work.').waitFor();
    expect(
      await page.evaluate(`Object.keys(sessionStorage).filter((name) => name.startsWith('oidc'))`),
    ).toEqual([]);
  });
});
