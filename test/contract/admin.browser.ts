import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { installedBrowser, launchBrowser } from '../support/browser.js';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'libs/admin/dist/page');

/** The name of the script that starts the page. It is built where `npm run build` has not done so. */
export const builtScript = (): string => {
  const find = (): string | undefined => readdirSync(built).find((name) => /^admin-\w+\.js$/.test(name));
  try {
    return String(find());
  } catch {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'libs/admin/build.mjs')]);
    if (status !== 0) throw new Error(String(stderr));
    return String(find());
  }
};

/** Widths that people have. */
export const widths = { large: { width: 1280, height: 900 }, small: { width: 390, height: 844 } } as const;

/** Refusals that a sentence expects; the browser writes them into its console. */
const expectedRefusal = /the server responded with a status of (400|401|403|412)/;

/**
 * Opens the page and lets `act` do something with it: nothing may be refused by the policy, asked past {@link answering}, or go
 * wrong meanwhile.
 */
export const withAdmin = async (
  address: string,
  act: (page: Page, browser: Browser) => Promise<void>,
  reader: Pick<BrowserContextOptions, 'viewport' | 'timezoneId'> = {},
): Promise<void> => {
  builtScript();
  const browser = await launchBrowser(String(installedBrowser));
  try {
    const page = await browser.newPage({
      viewport: widths.large,
      locale: 'en-GB',
      timezoneId: 'UTC',
      ...reader,
    });
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('dialog', (dialog) => {
      if (answered.has(page)) return;
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (line) => {
      const isOwn = line.location().url.startsWith(new URL(address).origin);
      if (isOwn && line.type() === 'error' && !expectedRefusal.test(line.text())) problems.push(line.text());
    });
    // As text: the tests have no types of a page.
    await page.addInitScript(`
      globalThis.violations = [];
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        globalThis.violations.push(violatedDirective + ' ' + blockedURI));
    `);
    await page.goto(address);
    try {
      await act(page, browser);
    } catch (error) {
      await kept(page, 'failed');
      if (problems.length > 0) throw new Error(problems.join('\n'), { cause: error });
      throw error;
    }
    expect(await page.evaluate(() => Reflect.get(globalThis, 'violations') as unknown)).toEqual([]);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
};

/** Pages whose next question a test answers. */
const answered = new WeakSet<Page>();

/** What the page asks while `act` does something, and is answered with yes or no. */
export const answering = async (page: Page, isYes: boolean, act: () => Promise<unknown>): Promise<string> => {
  answered.add(page);
  const answer = async (): Promise<string> => {
    const dialog = await page.waitForEvent('dialog');
    // What the page does waits for it.
    await (isYes ? dialog.accept() : dialog.dismiss());
    return dialog.message();
  };
  const [question] = await Promise.all([answer(), act()]);
  answered.delete(page);
  return question;
};

/** Waits until the page shows what is expected, for half a minute at most. */
export const untilShown = async (read: () => Promise<unknown>, expected: unknown): Promise<void> => {
  const ends = Date.now() + 30_000;
  for (;;) {
    const shown = await read();
    if (isDeepStrictEqual(shown, expected)) return;
    if (Date.now() > ends) expect(shown).toEqual(expected);
    await setImmediate();
  }
};

/** Keeps a picture of the page where `ADMIN_PICTURES` names a directory. Nothing is wider than the page. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const [wide, shown] = await page.evaluate<readonly number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect([name, wide]).toEqual([name, shown]);
  await kept(page, name);
};

const kept = async (page: Page, name: string): Promise<void> => {
  const directory = process.env['ADMIN_PICTURES'];
  if (directory === undefined) return;
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `admin-${name}.png`), animations: 'disabled' });
};
