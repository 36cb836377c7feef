import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdminPage } from '@nest-endpoints/admin';
import { EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import type { Page } from 'playwright-core';
import type { Subject } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { inBrowserOf } from '../support/in.browser.js';
import { withAdmin } from './admin.browser.js';

const Market = defineEntity({
  name: 'Market',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(20),
    stalls: () => p.oneToMany(Stall).mappedBy('market'),
    gates: () => p.oneToMany(Gate).mappedBy('market'),
  },
});

/** A record whose key is written. */
const Stall = defineEntity({
  name: 'Stall',
  properties: {
    code: p.string().length(10).primary(),
    market: () => p.manyToOne(Market).ref().deleteRule('cascade'),
    goods: p.string().length(20),
    rent: p.integer().default(5),
    version: p.integer().version(),
  },
});

/** A record that nobody changes without saying in which version. */
const Gate = defineEntity({
  name: 'Gate',
  properties: {
    id: p.integer().primary().autoincrement(),
    market: () => p.manyToOne(Market).ref().deleteRule('cascade'),
    side: p.string().length(20),
    version: p.integer().version(),
  },
});

const listed = {
  searchableColumnNames: ['marketId'],
  sortableColumnNames: ['marketId'],
  defaultSortColumnName: 'marketId',
} as const;

const inBrowser = inBrowserOf({
  entities: [Market, Stall, Gate],
  root: { externalCasing: 'snake_case' },
  endpoints: [
    new EndpointGroup({
      endpoints: [
        new Schema({ url: 'schema', schemaConfiguration: licensed }),
        new AdminPage({ url: 'admin', resources: ['markets'] }),
        new RestfulApi({
          url: 'markets',
          modelClass: Market,
          readableColumnNames: ['id', 'name'],
          writeableColumnNames: ['name'],
          sortableColumnNames: ['name'],
          searchableColumnNames: ['name'],
          defaultSortColumnName: 'name',
          writeableRelations: { stalls: { through: 'stalls' }, gates: { through: 'gates' } },
        }),
        new RestfulApi({
          ...{ ...listed, url: 'stalls', modelClass: Stall },
          readableColumnNames: ['code', 'marketId', 'goods', 'rent'],
          writeableColumnNames: ['code', 'marketId', 'goods', 'rent'],
        }),
        new RestfulApi({
          ...{ ...listed, url: 'gates', modelClass: Gate, preconditionRequired: true },
          readableColumnNames: ['id', 'marketId', 'side'],
          writeableColumnNames: ['marketId', 'side'],
        }),
      ],
    }),
  ],
});

const market = async ({ save }: Subject): Promise<void> => {
  const { id } = await save(Market, { name: 'Bazaar' });
  await save(Stall, { code: 'A', market: id, goods: 'Tea' });
  await save(Gate, { market: id, side: 'North' });
};

const open = async (page: Page): Promise<void> => {
  await page.getByText('Bazaar').first().click();
  await page.locator('input[name="stalls.0.goods"]').waitFor();
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Saves the form, and gives the body that the page sends. */
const saved = async (page: Page): Promise<unknown> => {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === 'PATCH'),
    button(page, 'Save').click(),
  ]);
  expect(response.status()).toBe(200);
  await button(page, 'Save').waitFor({ state: 'detached' });
  return response.request().postDataJSON() as unknown;
};

inBrowser(
  'The key of a record that is written along stays, and that of a new one is typed',
  async (subject) => {
    await market(subject);
    await withAdmin(`${subject.url}/admin`, async (page) => {
      await open(page);
      const key = page.locator('input[name="stalls.0.code"]');
      expect([await key.inputValue(), await key.isEditable()]).toEqual(['A', false]);
      await page.locator('input[name="stalls.0.goods"]').fill('Silk');
      await button(page, 'Add to stalls').click();
      await page.locator('input[name="stalls.1.code"]').fill('B');
      await page.locator('input[name="stalls.1.goods"]').fill('Wool');
      expect(await saved(page)).toMatchObject({
        stalls: { create: [{ code: 'B', goods: 'Wool' }], update: [{ code: 'A', goods: 'Silk' }] },
      });
      await open(page);
      // Whatever lets somebody type there: no record goes for it.
      await page.evaluate(
        `(() => {
      const input = document.querySelector('input[name="stalls.0.code"]');
      for (const name of ['readonly', 'disabled']) input.removeAttribute(name);
    })()`,
      );
      await key.fill('Z');
      await button(page, 'Save').click();
      await page.getByText('‘code’ of A cannot be changed').waitFor();
    });
    const stalls = await subject.em().find(Stall, {}, { orderBy: { code: 'asc' } });
    expect(stalls.map(({ code, goods }) => [code, goods])).toEqual([
      ['A', 'Silk'],
      ['B', 'Wool'],
    ]);
  },
);

inBrowser(
  'A record that is written along is changed in the version that the form shows, and deleted where that needs none',
  async (subject) => {
    await market(subject);
    await withAdmin(`${subject.url}/admin`, async (page) => {
      await open(page);
      await page.locator('input[name="gates.0.side"]').fill('South');
      await button(page, 'Add to gates').click();
      await page.locator('input[name="gates.1.side"]').fill('East');
      const removes = (section: string) =>
        page.getByRole('region', { name: section }).getByRole('button', { name: 'Remove' }).count();
      // That of the new one alone.
      expect([await removes('Gates'), await removes('Stalls')]).toEqual([1, 1]);
      expect(await saved(page)).toMatchObject({
        gates: { create: [{ side: 'East' }], update: [{ id: 1, side: 'South', if_match: '"1"' }] },
      });
    });
    const gates = await subject.em().find(Gate, {}, { orderBy: { id: 'asc' } });
    expect(gates.map(({ side }) => side)).toEqual(['South', 'East']);
  },
);

inBrowser(
  'A record that is written along is not overwritten when somebody has changed it',
  async (subject) => {
    await market(subject);
    await subject.save(Stall, { code: 'B', market: 1, goods: 'Rice' });
    const others = (code: string, rent: number) =>
      subject.request().patch(`/stalls/${code}`).send({ rent }).expect(200);
    await withAdmin(`${subject.url}/admin`, async (page) => {
      await open(page);
      await others('A', 9);
      const second = page.locator('input[name="stalls.1.goods"]');
      // What nobody changes here may have changed elsewhere.
      await second.fill('Salt');
      expect(await saved(page)).toMatchObject({ stalls: { update: [{ code: 'B', if_match: '"1"' }] } });
      await open(page);
      await others('B', 7);
      await second.fill('Pepper');
      await button(page, 'Save').click();
      await page.getByText('Somebody else has changed this record').waitFor();
      await button(page, 'Read again').click();
      await page.getByText('Somebody else has changed this record').waitFor({ state: 'detached' });
      await second.fill('Pepper');
      expect(await saved(page)).toMatchObject({ stalls: { update: [{ code: 'B', if_match: '"3"' }] } });
    });
    const stalls = await subject.em().find(Stall, {}, { orderBy: { code: 'asc' } });
    expect(stalls.map(({ goods, rent }) => [goods, rent])).toEqual([
      ['Tea', 9],
      ['Pepper', 7],
    ]);
  },
);
