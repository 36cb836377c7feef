// The built sample as a process of its own, over a database of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../apps/sample/dist/main.js');

/** What `/migrations` wants to hear; pages take it from the environment. */
export const variables = { MIGRATIONS_SECRET: 'docs', COUNTRIES_SECRET: 'docs', SECRET: 'docs' };

/**
 * Runs the sample while `visit` talks to it.
 * @template Result
 * @param {(url: string) => Promise<Result>} visit
 * @returns {Promise<Result>}
 */
export async function withSample(visit) {
  const directory = await mkdtemp(join(tmpdir(), 'atlas-'));
  const settings = { ...variables, DATABASE_URL: '', DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0' };
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  try {
    return await visit(await addressOf(child));
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  }
}

/** The address in the greeting, which is printed when the records are loaded. */
function addressOf(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (text) => {
      output += text;
      const found = /listens on (\S+)\. Try:/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`The sample ended instead of listening: ${output}`)));
  });
}
