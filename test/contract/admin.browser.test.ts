import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Subject } from '../support/contract.js';
import { inBrowserOf } from '../support/in.browser.js';
import { answering, picture, untilShown, widths, withAdmin } from './admin.browser.js';
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

inBrowser(
  'A token that is no longer accepted is asked for again, and leads back to the record',
  async (subject) => {
    await cities(subject);
    await withAdmin(`${subject.url}/closed/admin`, async (page) => {
      const logIn = async (): Promise<void> => {
        await page.getByLabel('Token').fill('open sesame');
        await button(page, 'Log in').click();
      };
      await logIn();
      await page.getByText('Menton').click();
      await page.locator('input[name="name"]').fill('Menton by the sea');
      await page.evaluate(`sessionStorage.setItem(sessionStorage.key(0), 'expired')`);
      await button(page, 'Save').click();
      await logIn();
      await expectValue(page, 'name', 'Menton');
    });
  },
);

inBrowser(
  'A save that is answered after its form was left takes nobody out of another form',
  async (subject) => {
    const { save, url, em } = subject;
    const { id } = await save(Trip, { title: 'Alps', startsOn: '2027-01-02' });
    await save(Trip, { title: 'Baltic', startsOn: '2027-01-02' });
    const { promise, resolve } = Promise.withResolvers<null>();
    await withAdmin(`${url}/desk/admin`, async (page) => {
      await page.route(`**/desk/trips/${id}`, async (route) => {
        if (route.request().method() === 'PATCH') await promise;
        await route.continue();
      });
      await page.getByText('Alps').first().click();
      await page.locator('input[name="title"]').fill('High Alps');
      await button(page, 'Save').click();
      await answering(page, true, () => page.goBack());
      await page.getByText('Baltic').first().click();
      await page.locator('input[name="title"]').fill('Baltic Sea');
      resolve(null);
      await page.getByText('Saved', { exact: true }).waitFor();
      // Whoever was taken out of the form is at the list once what is left to do is done.
      await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done)))');
      await expectValue(page, 'title', 'Baltic Sea');
      await button(page, 'Save').click({ timeout: 5000 });
      await page.locator('input[name="title"]').waitFor({ state: 'detached' });
      expect(await em().count(Trip, { title: { $in: ['High Alps', 'Baltic Sea'] } })).toBe(2);
    });
  },
);

inBrowser('A deletion that is confirmed by a double click is one', async ({ save, url }) => {
  const { id } = await save(City, { name: 'Nice' });
  await withAdmin(`${url}/desk/admin#/desk/cities/${id}`, async (page) => {
    let sent = 0;
    page.on('request', (request) => (sent += request.method() === 'DELETE' ? 1 : 0));
    await button(page, 'Delete').click();
    await button(page, 'Confirm').dblclick();
    await page.getByText('Deleted', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Create' }).first().waitFor();
    expect(sent).toBe(1);
  });
});

inBrowser('Words without end make no list wider than the page', async ({ save, url }) => {
  const city = await save(City, { name: 'C'.repeat(60) });
  await save(Trip, { title: 'W'.repeat(60), city, startsOn: '2027-01-02', deletedAt: null });
  for (const viewport of Object.values(widths))
    await withAdmin(
      `${url}/desk/admin`,
      async (page) => {
        await page.getByText('WWWWWW').first().waitFor();
        await page.getByText('CCCCCC').or(page.locator('.MuiListItemText-secondary')).first().waitFor();
        await picture(page, 'words');
      },
      { viewport },
    );
});

inBrowser('A record that cannot be read now is not said to be gone', async ({ save, url }) => {
  await save(Trip, { title: 'Alps', startsOn: '2027-01-02' });
  await withAdmin(`${url}/desk/admin`, async (page) => {
    await page.route('**/desk/trips/1', (route) =>
      route.fulfill({ status: 403, json: { status: 'client_error', message: 'Not at this hour' } }),
    );
    await page.getByText('Alps').first().click();
    await page.getByText('Forbidden').waitFor();
  });
});
