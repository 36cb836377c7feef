// Builds the site of the documentation into `site/.vitepress/dist`, and looks whether its links lead somewhere. `--dev` serves the
// pages instead, and shows what changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkSite } from './site.links.mjs';

const repo = join(import.meta.dirname, '..');
const dist = join(import.meta.dirname, '.vitepress/dist');
const base = process.env.SITE_BASE || '/';

if (process.argv.includes('--dev')) {
  await tool('vitepress', 'dev', 'site');
} else {
  await tool('vitepress', 'build', 'site');
  await tool('typedoc', '--out', join(dist, 'api'), '--titleLink', base);
  const { pages, links, problems } = await checkSite(dist, base);
  for (const problem of problems) console.error(problem);
  console.log(`${pages} pages, ${links} links, ${problems.length} of them wrong`);
  if (problems.length > 0) process.exitCode = 1;
}

/**
 * @param {string} name
 * @param {string[]} words
 */
async function tool(name, ...words) {
  const child = spawn(join(repo, 'node_modules/.bin', name), words, { cwd: repo, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(code ?? 1);
}
