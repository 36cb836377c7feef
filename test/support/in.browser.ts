import { test } from '@jest/globals';
import type { ApplicationOptions } from './application.js';
import { installedBrowser } from './browser.js';
import { once, service, type Contract } from './contract.js';

/** What a page does has nothing to do with the database: a run on MariaDB leaves it to the usual one. */
const onOne = once.filter(({ database }) => database !== 'mariadb');

/** Sentences that a browser tries. Where there is none, they are skipped and say so. */
export const inBrowserOf = (options: ApplicationOptions): Contract =>
  installedBrowser === undefined
    ? (sentence) =>
        test.skip(`${sentence}: no Chromium is installed (apt-get install chromium)`, () => undefined)
    : service(options, onOne).contract;
