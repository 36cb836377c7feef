import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The lines of `pg_dump --schema-only`, sorted, because the order of columns does not count; undefined where there is no
 * pg_dump, or one that is older than the server. It is a second opinion beside `catalogueOf`: name a server of
 * Debian's own in TEST_DATABASE_URL to have it.
 */
export const dumpOf = async (database: string): Promise<readonly string[] | undefined> => {
  const address = Object.assign(new URL(process.env['TEST_DATABASE_URL'] ?? ''), { pathname: database }).href;
  const options = ['--schema-only', '--no-owner', '--exclude-schema=nest_endpoints', `--dbname=${address}`];
  const dump = await run('pg_dump', options, { maxBuffer: 2 ** 26 }).catch(() => undefined);
  return dump?.stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('--') && !/^\\(un)?restrict/.test(line))
    .map((line) => line.replace(/,$/, '').trim())
    .toSorted();
};
