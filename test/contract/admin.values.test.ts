import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdminPage } from '@nest-endpoints/admin';
import { EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import type { Page } from 'playwright-core';
import type { Subject } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { inBrowserOf } from '../support/in.browser.js';
import { picture, untilShown, withAdmin } from './admin.browser.js';

const Tag = defineEntity({
  name: 'Tag',
  properties: { id: p.integer().primary().autoincrement(), name: p.string().length(20) },
});

/** A column of each sort of values that an input of the browser has a text of its own for. */
const Tour = defineEntity({
  name: 'Tour',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(20),
    departsAt: p.datetime().nullable(),
    level: p.enum([1, 2, 3]).nullable(),
    languages: p.string().array().nullable(),
    hours: p.integer().array().nullable(),
    extras: p.json<unknown>().nullable(),
    isPaid: p.boolean().nullable(),
    tags: () => p.manyToMany(Tag),
  },
});

const written = ['name', 'departsAt', 'level', 'languages', 'hours', 'extras', 'isPaid', 'tagIds'] as const;

const inBrowser = inBrowserOf({
  entities: [Tour, Tag],
  root: { externalCasing: 'snake_case' },
  endpoints: [
    new EndpointGroup({
      endpoints: [
        new Schema({ url: 'schema', schemaConfiguration: licensed }),
        new AdminPage({ url: 'admin', resources: ['tours', 'tags'] }),
        new RestfulApi({
          url: 'tours',
          modelClass: Tour,
          readableColumnNames: ['id', ...written],
          writeableColumnNames: written,
          sortableColumnNames: ['name'],
          searchableColumnNames: ['departsAt', 'level', 'isPaid'],
          defaultSortColumnName: 'name',
        }),
        new RestfulApi({
          url: 'tags',
          modelClass: Tag,
          readableColumnNames: ['id', 'name'],
          writeableColumnNames: ['name'],
          sortableColumnNames: ['name'],
          searchableColumnNames: ['id', 'name'],
          defaultSortColumnName: 'name',
        }),
      ],
    }),
  ],
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Adds a text to the list of an input. */
const add = async (page: Page, label: string, text: string): Promise<void> => {
  await page.getByLabel(label).fill(text);
  await page.getByLabel(label).press('Enter');
};

const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

const tour = async ({ request }: Subject): Promise<unknown> => {
  const { data } = (await request().get('/tours').expect(200)).body as { readonly data: readonly object[] };
  return data[0];
};

inBrowser(
  'A form writes instants, numbers of an enumeration, lists, JSON and related records',
  async (subject) => {
    const [sea, hills] = [
      await subject.save(Tag, { name: 'sea' }),
      await subject.save(Tag, { name: 'hills' }),
    ];
    const act = async (page: Page): Promise<void> => {
      await page.getByRole('link', { name: 'Create' }).first().click();
      await page.getByLabel('Name').fill('Coast');
      await page.getByLabel('Departs at').fill('2027-01-05T08:30');
      await choose(page, 'Level', '2');
      await add(page, 'Languages', 'French');
      await add(page, 'Languages', 'Dutch');
      await page.getByLabel('Hours').fill('[9, 1');
      await page.getByLabel('Extras').fill('{"lunch": [true]}');
      await choose(page, 'Tags', 'hills');
      await choose(page, 'Tags', 'sea');
      await button(page, 'Save').click();
      await page.getByText('This is no JSON').waitFor();
      await picture(page, 'values');
      await page.getByLabel('Hours').fill('[9, 17]');
      await button(page, 'Save').click();
      await page.getByText('Created', { exact: true }).waitFor();
    };
    await withAdmin(`${subject.url}/admin`, act);
    expect(await tour(subject)).toEqual({
      id: 1,
      name: 'Coast',
      departs_at: '2027-01-05T08:30:00+00:00',
      level: 2,
      languages: ['French', 'Dutch'],
      hours: [9, 17],
      extras: { lunch: [true] },
      is_paid: false,
      tag_ids: [sea.id, hills.id],
    });
  },
);

inBrowser(
  'A form shows an instant where its reader is, and an input that is left alone changes nothing',
  async (subject) => {
    const values = { languages: ['French'], hours: [9], extras: { a: 1 }, isPaid: null, level: 3 as const };
    await subject.save(Tour, { name: 'Coast', departsAt: new Date('2027-01-05T08:30:15Z'), ...values });
    const before = await tour(subject);
    const act = async (page: Page): Promise<void> => {
      await page.getByText('Coast').first().click();
      const departs = page.getByLabel('Departs at');
      await untilShown(() => departs.inputValue(), '2027-01-05T14:00:15');
      for (const label of ['Departs at', 'Extras', 'Hours', 'Name']) await page.getByLabel(label).focus();
      await page.getByLabel('Name').fill('Hills');
      await button(page, 'Save').click();
      await page.getByText('Hills').first().waitFor();
      expect(await tour(subject)).toEqual({ ...(before as object), name: 'Hills' });
      await page.getByText('Hills').first().click();
      await departs.fill('2027-01-06T05:00');
      await button(page, 'Save').click();
      await page.getByText('6 Jan 2027, 05:00').first().waitFor();
    };
    await withAdmin(`${subject.url}/admin`, act, { timezoneId: 'Asia/Kolkata' });
    expect(await tour(subject)).toMatchObject({ departs_at: '2027-01-05T23:30:00+00:00' });
  },
);

inBrowser('A filter of yes and no can be taken back', async (subject) => {
  for (const [name, isPaid] of [
    ['Coast', true],
    ['Hills', false],
  ] as const)
    await subject.save(Tour, { name, isPaid, extras: null });
  await withAdmin(`${subject.url}/admin`, async (page) => {
    const rows = () => page.locator('.RaDatagrid-row td:nth-child(2)').allInnerTexts();
    await untilShown(rows, ['Coast', 'Hills']);
    await button(page, 'Add filter').click();
    await page.getByRole('menuitemcheckbox', { name: 'Is paid' }).click();
    await choose(page, 'Is paid', 'Yes');
    await untilShown(rows, ['Coast']);
    await page.getByRole('combobox', { name: 'Is paid' }).click();
    await page.getByRole('option').first().click();
    await untilShown(rows, ['Coast', 'Hills']);
  });
});
