// `npm run docs:pictures`: takes the pictures of the sample's docs page and of its admin page anew, on a large screen
// and on a small one; a word takes those alone whose names begin so. Chromium is
// `CHROMIUM`, else /usr/bin/chromium. Look at them before you commit them.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { smallPng } from './small.png.mjs';
import { withSample } from './sample.process.mjs';

const folder = join(import.meta.dirname, '../../docs/pictures');

const blocks = '.opblock';
const rows = '.RaDatagrid-row';

const trips = [
  { title: 'A week in Nice', city_id: 2990440, starts_on: '2027-05-01', ends_on: '2027-05-08' },
  { title: 'Lofoten by bicycle', starts_on: '2027-06-19', ends_on: '2027-07-03', rating: 5 },
  { title: 'Museums of Paris', city_id: 2988507, starts_on: '2027-10-02', ends_on: '2027-10-05' },
  { title: 'Night train to Sicily', starts_on: '2027-09-11', rating: 4 },
  { title: 'The Camino', starts_on: '2027-04-05', ends_on: '2027-05-10', shared: true },
];

/** What each picture shows, once `shown` is there. `link` is the address of the page. */
const pictures = [
  { name: 'docs-page', width: 1280, height: 900, link: '/docs', shown: blocks, act: () => undefined },
  {
    name: 'docs-page-operation',
    width: 1280,
    height: 900,
    shown: blocks,
    link: '/docs#/City/searchCitiesViaPost',
    act: (page) => page.locator('.opblock.is-open .opblock-description').first().waitFor(),
  },
  { name: 'docs-page-phone', width: 390, height: 844, link: '/docs', shown: blocks, act: () => undefined },
  {
    name: 'docs-page-phone-operation',
    width: 390,
    height: 844,
    shown: blocks,
    link: '/docs#/Country/listCountries',
    act: (page) => page.locator('.opblock.is-open .opblock-description').first().waitFor(),
  },
  { name: 'admin-list', width: 1280, height: 720, link: '/admin#/trips', shown: rows, act: named },
  { name: 'admin-form', width: 1280, height: 900, link: '/admin#/trips', shown: rows, act: opened },
  { name: 'admin-history', width: 1280, height: 720, link: '/admin#/trips', shown: rows, act: history },
  {
    name: 'admin-phone',
    width: 390,
    height: 844,
    link: '/admin#/trips',
    shown: '.MuiListItem-root',
    act: () => undefined,
  },
];

const chosen = process.argv.slice(2);
const wanted = pictures.filter(
  ({ name }) => chosen.length === 0 || chosen.some((one) => name.startsWith(one)),
);

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await mkdir(folder, { recursive: true });
  await withSample(async (url) => {
    await plan(url);
    for (const picture of wanted) await take(url, picture);
  });
} finally {
  await browser.close();
}

/** Trips to look at: one of them with stops, and with a history. */
async function plan(url) {
  const json = { 'Content-Type': 'application/json' };
  const send = async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, { method, headers: json, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const { id } = await send('POST', '/trips', trips[0]);
  for (const trip of trips.slice(1)) await send('POST', '/trips', trip);
  for (const place of ['Antibes', 'Menton']) await send('POST', '/stops', { trip_id: id, place });
  await send('PATCH', `/trips/${id}`, { ends_on: '2027-05-09', rating: 5 });
}

/** The names of cities have come, too. */
async function named(page) {
  await page.getByText('Nice', { exact: true }).first().waitFor();
}

async function opened(page) {
  await page.getByText('A week in Nice').click();
  await page.locator('input[value="Menton"]').waitFor();
}

async function history(page) {
  await opened(page);
  const region = page.getByRole('region', { name: 'History' });
  await region.getByText('Created').waitFor();
  await region.scrollIntoViewIfNeeded();
}

async function take(url, { name, width, height, link, shown, act }) {
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' });
  await page.goto(`${url}${link}`);
  await page.waitForSelector(shown);
  await act(page);
  const bytes = await smallPng(browser, await page.screenshot({ animations: 'disabled' }));
  await writeFile(join(folder, `${name}.png`), bytes);
  await page.close();
  console.log(`docs/pictures/${name}.png  ${width} × ${height}  ${Math.ceil(bytes.length / 1024)} KiB`);
}
