import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Subject } from '../support/contract.js';
import { inBrowserOf } from '../support/in.browser.js';
import { picture, untilShown, withAdmin } from './admin.browser.js';
import { City, travel, Trip } from './admin.world.js';

const inBrowser = inBrowserOf(travel);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const seasons = ['spring', 'summer'] as const;

/** Thirty trips: the even ones in spring, each with a rating of its own but for the last ones. */
const trips = async ({ save }: Subject): Promise<void> => {
  const nice = await save(City, { name: 'Nice' });
  for (let index = 1; index <= 30; index += 1)
    await save(Trip, {
      title: `Trip ${String(index).padStart(2, '0')}`,
      city: index === 1 ? nice : null,
      startsOn: '2027-05-01',
      season: seasons[index % 2] ?? null,
      rating: index,
    });
};

/** The titles of the rows. */
const rows = (page: Page): Promise<readonly string[]> =>
  page.locator('.RaDatagrid-row td:nth-child(2)').allInnerTexts();

const untilRows = (page: Page, first: string, count: number): Promise<void> =>
  untilShown(async () => {
    const found = await rows(page);
    return [found[0], found.length];
  }, [first, count]);

/** Sorts by a column; a click that comes before the list says how it is sorted would ask for the same again. */
const sort = async (page: Page, field: string, direction: 'Asc' | 'Desc'): Promise<void> => {
  const heading = `.MuiTableSortLabel-root[data-field=${field}]`;
  await page.locator(heading).click();
  await page.locator(`${heading}.Mui-active.MuiTableSortLabel-direction${direction}`).waitFor();
};

/** Opens a link as somebody who comes from elsewhere: another part behind the hash alone is the same document. */
const opened = async (page: Page, link: string): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(link);
};

inBrowser(
  'Lists have pages, sorts and filters; many records are deleted, and purged, at once',
  async (subject) => {
    await trips(subject);
    await withAdmin(`${subject.url}/desk/admin`, async (page) => {
      await untilRows(page, 'Trip 01', 25);
      await page.getByText('1-25 of 30').waitFor();
      await button(page, 'Go to next page').click();
      await untilRows(page, 'Trip 26', 5);
      await button(page, 'Go to previous page').click();
      await sort(page, 'rating', 'Asc');
      await untilRows(page, 'Trip 01', 25);
      await sort(page, 'rating', 'Desc');
      await untilRows(page, 'Trip 30', 25);
      await button(page, 'Add filter').click();
      await page.getByRole('menuitemcheckbox', { name: 'Season' }).click();
      await page.getByRole('combobox', { name: 'Season' }).click();
      await picture(page, 'filters');
      await page.getByRole('option', { name: 'spring' }).click();
      await untilRows(page, 'Trip 30', 15);
      await page.locator('tbody input[type=checkbox]').first().check();
      await page.locator('tbody input[type=checkbox]').nth(1).check();
      await picture(page, 'selected');
      await button(page, 'Delete').click();
      await button(page, 'Confirm').click();
      await untilRows(page, 'Trip 26', 13);
      expect(await subject.em().count(Trip, { deletedAt: null })).toBe(28);
      await page.getByRole('link', { name: 'Trash' }).click();
      await untilRows(page, 'Trip 28', 2);
      await page.locator('thead input[type=checkbox]').check();
      await button(page, 'Delete for good').click();
      await button(page, 'Confirm').click();
      await page.getByText('The trash is empty.').waitFor();
      expect(await subject.count(Trip)).toBe(28);
    });
  },
);

inBrowser('Pages are turned by cursors where a list has them: nothing is shown twice', async (subject) => {
  await trips(subject);
  const address = `${subject.url}/desk/admin`;
  await withAdmin(address, async (page) => {
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/desk/trips/search')) asked.push(request.postDataJSON());
    });
    await untilRows(page, 'Trip 01', 25);
    await subject.save(Trip, { title: 'Trip 00', startsOn: '2027-05-01' });
    await button(page, 'Go to next page').click();
    await untilRows(page, 'Trip 26', 5);
    expect(asked.at(-1)).toMatchObject({ limit: 25, after: expect.any(String) });
    expect(asked.at(-1)).not.toHaveProperty('start');
    await button(page, 'Go to previous page').click();
    await untilRows(page, 'Trip 00', 25);
    // A link into the middle of a list is counted.
    const query = new URLSearchParams({
      filter: '{}',
      sort: 'title',
      order: 'ASC',
      page: '2',
      perPage: '25',
    });
    await opened(page, `${address}#/desk/trips?${query.toString()}`);
    await untilRows(page, 'Trip 25', 6);
    expect(asked.at(-1)).toMatchObject({ limit: 25, start: 25 });
  });
});

inBrowser(
  'A list shows what every answer with its records has, and no two of its filters are called alike',
  async (subject) => {
    await trips(subject);
    await withAdmin(`${subject.url}/desk/admin`, async (page) => {
      await untilRows(page, 'Trip 01', 25);
      const headings = await page.locator('thead th').allInnerTexts();
      expect(headings.slice(1)).toEqual(['Title', 'City', 'Starts on', 'Rating', 'Season']);
      await button(page, 'Add filter').click();
      const filters = await page.getByRole('menuitemcheckbox').allInnerTexts();
      expect(filters).toEqual(['Title', 'City', 'Rating from', 'Rating to', 'Season', 'City name']);
    });
    await withAdmin(`${subject.url}/desk/misled`, async (page) => {
      const message = "desk/trips has no column 'shared' that all of its lists and searches show";
      await page.getByText(message).waitFor();
    });
  },
);

inBrowser('A link that asks for what no list has breaks nothing that stays', async (subject) => {
  await trips(subject);
  const address = `${subject.url}/desk/admin`;
  const query = new URLSearchParams({
    filter:
      '{"__proto__":{"x":1},"title@constructor":"a","nope":[{}],"city_id@=":"<img src=x onerror=alert(1)>"}',
    displayedFilters: '{"constructor":true,"season":true}',
    sort: '__proto__',
    order: 'ASC',
    page: '1',
    perPage: '25',
  }).toString();
  await withAdmin(address, async (page) => {
    await untilRows(page, 'Trip 01', 25);
    await opened(page, `${address}#/desk/trips?${query}`);
    await page.getByRole('menuitem', { name: 'Cities' }).waitFor();
    await picture(page, 'hostile-link');
    await opened(page, `${address}#/desk/trips`);
    await untilRows(page, 'Trip 01', 25);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });
});

inBrowser('Where all records are in the trash, the list leads there', async ({ save, url }) => {
  await save(Trip, { title: 'Gone', startsOn: '2027-05-01', deletedAt: new Date() });
  await withAdmin(`${url}/desk/admin`, async (page) => {
    await page.getByRole('link', { name: 'Trash' }).click();
    await untilRows(page, 'Gone', 1);
  });
});

inBrowser('The number that a record is called by is shown as it is', async ({ save, url }) => {
  await save(Trip, { id: 1_234_567, title: 'Far away', startsOn: '2027-05-01' });
  await withAdmin(`${url}/desk/admin#/desk/trips/1234567`, (page) =>
    page.getByText('1234567', { exact: true }).waitFor(),
  );
});
