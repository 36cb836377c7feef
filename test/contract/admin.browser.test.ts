import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Subject } from '../support/contract.js';
import { inBrowserOf } from '../support/in.browser.js';
import { picture, untilShown, widths, withAdmin } from './admin.browser.js';
import { City, Stop, travel, Trip } from './admin.world.js';

const inBrowser = inBrowserOf(travel);

/** Markup that does something wherever it is taken for HTML. */
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;

const cities = async ({ save }: Subject): Promise<void> => {
  for (const name of ['Nice', 'Menton', hostile]) await save(City, { name });
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Fills in a trip to Nice with two stops, and saves it once its rating is one. */
const createTrip = async (page: Page, title: string, size: string): Promise<void> => {
  await page.getByRole('link', { name: 'Create' }).first().click();
  await page.locator('input[name="title"]').fill(title);
  await page.locator('input[name="starts_on"]').fill('2027-05-01');
  await page.locator('input[name="rating"]').fill('9');
  await page.getByRole('combobox', { name: 'City' }).fill('Nic');
  await page.getByRole('option', { name: 'Nice' }).click();
  for (const [index, place] of ['Antibes', hostile.slice(0, 16)].entries()) {
    await button(page, 'Add to stops').click();
    await page.locator(`input[name="stops.${index}.place"]`).fill(place);
  }
  await picture(page, `form-${size}`);
  await button(page, 'Save').click();
  await page.getByText('value should be at most 5').first().waitFor();
  await picture(page, `messages-${size}`);
  await page.locator('input[name="rating"]').fill('4');
  await button(page, 'Save').click();
  await page.getByText(title).first().waitFor();
  await page.getByText('Created', { exact: true }).waitFor();
};

const walk = async (subject: Subject, size: keyof typeof widths): Promise<void> => {
  const { url, em, save, count } = subject;
  await cities(subject);
  await save(Trip, { title: hostile, startsOn: '2027-01-02', notes: hostile });
  const address = `${url}/desk/admin`;
  const act = async (page: Page): Promise<void> => {
    await page.getByText(hostile).first().waitFor();
    await createTrip(page, 'Riviera', size);
    await picture(page, `list-${size}`);
    expect(await count(Stop)).toBe(2);
    await search(page);
    await edit(page, subject, size);
    await conflict(page, subject, size);
    await trash(page, subject, size);
  };
  await withAdmin(address, act, { viewport: widths[size] });
  expect(await em().count(Trip, { deletedAt: null })).toBe(2);
};

const search = async (page: Page): Promise<void> => {
  await page.getByPlaceholder('Search').fill('viera');
  await page.getByText(hostile).first().waitFor({ state: 'detached' });
  await page.getByText('Riviera').first().click();
};

/** Changes the record, and a stop of it; the history tells of it. */
const edit = async (page: Page, { em }: Subject, size: string): Promise<void> => {
  await page.locator('input[name="stops.0.place"]').waitFor();
  await page.locator('input[name="title"]').fill('Riviera in May');
  await page.locator('input[name="stops.0.place"]').fill('Cannes');
  await button(page, 'Save').click();
  await page.getByPlaceholder('Search').waitFor();
  await page.getByText('Riviera in May').first().click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Title: Riviera → Riviera in May').waitFor();
  await history.scrollIntoViewIfNeeded();
  await picture(page, `history-${size}`);
  const stops = await em().find(Stop, {}, { orderBy: { id: 'asc' } });
  expect(stops.map(({ place }) => place)).toEqual(['Cannes', hostile.slice(0, 16)]);
};

/** Somebody else is faster: nothing is overwritten, and the page says so. */
const conflict = async (page: Page, { request, em }: Subject, size: string): Promise<void> => {
  const { id } = await em().findOneOrFail(Trip, { title: 'Riviera in May' });
  expect((await request().patch(`/desk/trips/${id}`).send({ rating: 5 })).status).toBe(200);
  await page.locator('input[name="title"]').fill('Overwritten');
  await button(page, 'Save').click();
  await page.getByText('Somebody else has changed this record in the meantime.').waitFor();
  // The button is at the end of a long form: the sentence comes to whoever pressed it.
  const height = page.viewportSize()?.height ?? 0;
  await untilShown(async () => {
    const { y = -1 } = (await page.getByRole('alert').first().boundingBox()) ?? {};
    return y >= 0 && y < height;
  }, true);
  await picture(page, `conflict-${size}`);
  await button(page, 'Read again').click();
  await page.getByText('Somebody else has changed this record').waitFor({ state: 'detached' });
  await expectValue(page, 'rating', '5');
  await expectValue(page, 'title', 'Riviera in May');
};

/** Waits until an input has a value. The policy lets nothing be evaluated in the page, so that it is asked again and again. */
const expectValue = async (page: Page, name: string, value: string): Promise<void> => {
  await untilShown(() => page.locator(`input[name="${name}"]`).inputValue(), value);
};

/** A deleted record is in the trash, and comes back from there. */
const trash = async (page: Page, { em }: Subject, size: string): Promise<void> => {
  await button(page, 'Delete').click();
  await page.getByText('Move to the trash?').waitFor();
  await button(page, 'Confirm').click();
  await page.getByPlaceholder('Search').waitFor();
  expect(await em().count(Trip, { deletedAt: null })).toBe(1);
  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByText('Riviera in May').first().waitFor();
  await page.getByRole('checkbox').last().check();
  await picture(page, `trash-${size}`);
  await button(page, 'Restore').click();
  await page.getByText('The trash is empty.').waitFor();
};

inBrowser(
  'Trips are made with stops, found, changed, deleted and restored, whatever markup records have',
  (subject) => walk(subject, 'large'),
);

inBrowser('All of it works on a phone, and nothing is wider than the phone', (subject) =>
  walk(subject, 'small'),
);

inBrowser('A page with a token asks for it, keeps it, and refuses a wrong one', async (subject) => {
  const { url } = subject;
  await cities(subject);
  await withAdmin(`${url}/closed/admin`, async (page) => {
    await page.getByLabel('Token').fill('wrong');
    await picture(page, 'login');
    await button(page, 'Log in').click();
    await page.getByText('The token is not accepted.').waitFor();
    await page.getByLabel('Token').fill('Bearer open sesame');
    await button(page, 'Log in').click();
    await page.getByText('Menton').waitFor();
    await page.reload();
    await page.getByText('Menton').waitFor();
    await page.getByRole('button', { name: 'Profile' }).click();
    await page.getByText('Logout').click();
    await page.getByLabel('Token').waitFor();
  });
});
