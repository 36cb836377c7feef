// Whether pages fit on a screen: no table is wider than a terminal or a page of GitHub, and the README is three screens long.
import { join, relative } from 'node:path';

const repo = join(import.meta.dirname, '../..');

/** In columns: a wider table is scrolled sideways, or broken. */
const widest = 120;

/** In lines. */
const longest = new Map([['README.md', 150]]);

/** @param {import('./page.mjs').Page[]} pages */
export function checkWidths(pages) {
  const problems = [];
  let count = 0;
  for (const { path, lines, length } of pages) {
    const page = relative(repo, path);
    for (const { text, line } of lines) {
      if (!/^\s*\|/.test(text)) continue;
      count += 1;
      const width = [...text].length;
      if (width > widest) problems.push(`${page}:${line}: the table is ${width} columns wide, not ${widest}`);
    }
    const most = longest.get(page) ?? Infinity;
    if (length > most) problems.push(`${page} has ${length} lines, and not ${most} at most`);
  }
  return { count, problems };
}
