import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const repo = join(import.meta.dirname, '../..');

/** In milliseconds; an installation from a cold cache takes the longest. */
const timeout = 300_000;

/**
 * A tool this repo has installed.
 * @param {string} name
 * @param {string[]} parameters
 */
export function tool(name, ...parameters) {
  return run(join(repo, 'node_modules/.bin', name), parameters, repo);
}

/**
 * @param {string} command
 * @param {string[]} parameters
 * @param {string} cwd
 */
export async function run(command, parameters, cwd) {
  try {
    const options = { cwd, env: ownEnvironment(), timeout, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)(command, parameters, options)).stdout;
  } catch (error) {
    throw new Error([error.message, error.stdout, error.stderr].filter(Boolean).join('\n'), { cause: error });
  }
}

/** Without what `npm run` adds: a nested npm would take this repo for its own place. */
export function ownEnvironment() {
  const added = /^(npm_(lifecycle|package)_|npm_config_(local_prefix|workspace)|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)));
}
