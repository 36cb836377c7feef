// `npm run docs:pictures`: takes the pictures of the sample's docs page anew, on a large screen and on a small one. Chromium is
// `CHROMIUM`, else /usr/bin/chromium. Look at them before you commit them.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { smallPng } from './small.png.mjs';
import { withSample } from './sample.process.mjs';

const folder = join(import.meta.dirname, '../../docs/pictures');

/** What each picture shows. `link` is the fragment of the page's address. */
const pictures = [
  { name: 'docs-page', width: 1280, height: 900, link: '', act: () => undefined },
  {
    name: 'docs-page-operation',
    width: 1280,
    height: 900,
    link: '#/City/searchCitiesViaPost',
    act: (page) => page.locator('.opblock.is-open .opblock-description').first().waitFor(),
  },
  { name: 'docs-page-phone', width: 390, height: 844, link: '', act: () => undefined },
  {
    name: 'docs-page-phone-operation',
    width: 390,
    height: 844,
    link: '#/Country/listCountries',
    act: (page) => page.locator('.opblock.is-open .opblock-description').first().waitFor(),
  },
];

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await mkdir(folder, { recursive: true });
  await withSample(async (url) => {
    for (const picture of pictures) await take(url, picture);
  });
} finally {
  await browser.close();
}

async function take(url, { name, width, height, link, act }) {
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' });
  await page.goto(`${url}/docs${link}`);
  await page.waitForSelector('.opblock');
  await act(page);
  const bytes = await smallPng(browser, await page.screenshot({ animations: 'disabled' }));
  await writeFile(join(folder, `${name}.png`), bytes);
  await page.close();
  console.log(`docs/pictures/${name}.png  ${width} × ${height}  ${Math.ceil(bytes.length / 1024)} KiB`);
}
