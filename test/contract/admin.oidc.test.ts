import { afterAll, expect } from '@jest/globals';
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

const inBrowser = inBrowserOf({
  entities: [City],
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

/** As a token that the provider has taken back: the service does not believe it. */
const breakToken = async (page: Page): Promise<void> => {
  await page.evaluate(`
    for (const [name, text] of Object.entries(sessionStorage))
      if (name.startsWith('oidc.user:'))
        sessionStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), access_token: 'broken' }));
  `);
};

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
