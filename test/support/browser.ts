import { existsSync } from 'node:fs';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';

/** Where Debian and others put Chromium; `CHROMIUM` names another place. */
const places = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** The browser of this machine; undefined where none is installed. */
export const installedBrowser = places.find((place) => place !== '' && existsSync(place));

export const launchBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

/** The input of a column. Its name is in the headings of a list as well, which a page may still show. */
export const field = (page: Page, label: string): Locator =>
  page.getByLabel(label).and(page.locator('input, textarea'));
