import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdminPage } from '@nest-endpoints/admin';
import { EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import type { Page } from 'playwright-core';
import type { Subject } from '../support/contract.js';
import { field } from '../support/browser.js';
import { licensed } from '../support/documents.js';
import { inBrowserOf } from '../support/in.browser.js';
import { answering, picture, untilShown, withAdmin } from './admin.browser.js';

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
    mainTag: () => p.manyToOne(Tag).ref().nullable(),
  },
});

const written = [
  'name',
  'departsAt',
  'level',
  'languages',
  'hours',
  'extras',
  'isPaid',
  'tagIds',
  'mainTagId',
] as const;

const inBrowser = inBrowserOf({
  entities: [Tour, Tag],
  root: { externalCasing: 'snake_case' },
  endpoints: [
    new EndpointGroup({
      endpoints: [
        new Schema({ url: 'schema', schemaConfiguration: licensed }),
        new AdminPage({
          url: 'admin',
          resources: [{ name: 'tours', references: { main_tag_id: 'tags' } }, 'tags'],
        }),
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
  await field(page, label).fill(text);
  await field(page, label).press('Enter');
};

const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** Holds answers to a form back. @returns what waits until one is asked for, and what lets them through */
const held = async (page: Page, path: string) => {
  const [isAsked, isFree] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
  await page.route(path, async (route) => {
    isAsked.resolve(null);
    await isFree.promise;
    await route.continue();
  });
  return { asked: isAsked.promise, free: () => isFree.resolve(null) };
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
      await field(page, 'Name').fill('Coast');
      await field(page, 'Departs at').fill('2027-01-05T08:30');
      await choose(page, 'Level', '2');
      await add(page, 'Languages', 'French');
      await add(page, 'Languages', 'Dutch');
      await field(page, 'Hours').fill('[9, 1');
      await field(page, 'Extras').fill('{"lunch": [true]}');
      await choose(page, 'Tags', 'hills · 2');
      await choose(page, 'Tags', 'sea · 1');
      await button(page, 'Save').click();
      await page.getByText('This is no JSON').waitFor();
      await picture(page, 'values');
      await field(page, 'Hours').fill('[9, 17]');
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
      main_tag_id: null,
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
      const departs = field(page, 'Departs at');
      await untilShown(() => departs.inputValue(), '2027-01-05T14:00:15');
      for (const label of ['Departs at', 'Extras', 'Hours', 'Name']) await field(page, label).focus();
      await field(page, 'Name').fill('Hills');
      await button(page, 'Save').click();
      // The title of the form names the record as well.
      await button(page, 'Save').waitFor({ state: 'detached' });
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

inBrowser(
  'There is nothing to type into before the record is there: it would be overwritten',
  async (subject) => {
    await subject.save(Tour, { name: 'Coast', extras: null });
    await withAdmin(`${subject.url}/admin`, async (page) => {
      // Once with what the list has shown of it, and once with what the form has.
      for (let time = 0; time < 2; time += 1) {
        const first = await held(page, '**/tours/1');
        await page.getByText('Coast').first().click();
        await first.asked;
        expect(await field(page, 'Name').count()).toBe(0);
        first.free();
        await field(page, 'Name').waitFor();
        await page.unroute('**/tours/1');
        await field(page, 'Name').fill('Hills');
        await answering(page, true, () => page.goBack());
        await button(page, 'Save').waitFor({ state: 'detached' });
      }
      await page.getByText('Coast').first().click();
      await untilShown(() => field(page, 'Name').inputValue(), 'Coast');
    });
  },
);

inBrowser('A form asks before it is left with changes, and only then', async (subject) => {
  const values = { languages: ['French'], hours: [9], extras: { a: 1 }, departsAt: new Date(0) };
  await subject.save(Tour, { name: 'Coast', ...values });
  await withAdmin(`${subject.url}/admin`, async (page) => {
    const open = () => page.locator('tbody').getByText('Coast').first().click();
    const name = field(page, 'Name');
    await open();
    for (const label of ['Departs at', 'Extras', 'Hours', 'Languages']) await field(page, label).focus();
    await page.goBack();
    await open();
    await name.fill('Hills');
    // The form knows of its changes as soon as it can be saved.
    await untilShown(() => button(page, 'Save').isEnabled(), true);
    const form = page.url();
    const question = "Some of your changes weren't saved. Are you sure you want to ignore them?";
    expect(await answering(page, false, () => page.goBack())).toBe(question);
    // The page goes forward again by itself: going back meanwhile would leave it altogether.
    await untilShown(() => Promise.resolve(page.url()), form);
    expect(await name.inputValue()).toBe('Hills');
    expect(await answering(page, true, () => page.goBack())).toBe(question);
    await page.locator('tbody').getByText('Coast').first().waitFor();
    await page.getByRole('link', { name: 'Create' }).first().click();
    await name.waitFor();
    await page.goBack();
    await page.locator('tbody').getByText('Coast').first().waitFor();
  });
});

inBrowser(
  'Records of one name are told apart where they are chosen, and where they are shown',
  async (subject) => {
    for (const name of ['sea', 'sea', 'hills']) await subject.save(Tag, { name });
    await subject.save(Tour, { name: 'Coast', extras: null, mainTag: 2 });
    await withAdmin(`${subject.url}/admin`, async (page) => {
      await page.locator('tbody').getByText('sea · 2', { exact: true }).waitFor();
      await page.getByText('Coast').first().click();
      const main = page.getByRole('combobox', { name: 'Main tag' });
      await untilShown(() => main.inputValue(), 'sea · 2');
      await main.click();
      await page.getByRole('option', { name: 'sea · 1', exact: true }).click();
      await choose(page, 'Tags', 'sea · 2');
      await button(page, 'Save').click();
      await page.locator('tbody').getByText('sea · 1', { exact: true }).waitFor();
    });
    expect(await tour(subject)).toMatchObject({ main_tag_id: 1, tag_ids: [2] });
  },
);
