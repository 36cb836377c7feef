import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'defects');

/**
 * Defects that somebody has put in by hand, and those that were mended, each with the test that notices it. A snippet is
 * as short as it can be: it must be in its file exactly once, and whoever changes that code puts the defect in anew.
 * `npm run mutations -- --check` says which snippets are not there any more.
 *
 * Each is `{ name, file, find, replace, tests, database }`: what is wrong then, the snippet and what it becomes, and the names of test
 * files without `.test.ts`. With the `database` `mariadb` these run there, as `npm run test:mariadb` runs them, and no others do.
 */
export const defects = [];
for (const name of readdirSync(folder).sort()) defects.push(...(await import(`./defects/${name}`)).defects);
