// Whether links of the pages lead to files that there are, and to headings that they have.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { headingAnchor } from '../../site/heading.anchor.mjs';

const repo = join(import.meta.dirname, '../..');

/** @param {import('./page.mjs').Page[]} pages */
export function checkLinks(pages) {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  const problems = [];
  let count = 0;
  for (const { path, lines } of pages)
    for (const { text, line } of lines)
      for (const [, target] of text.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        count += 1;
        const problem = problemOf(path, target, anchors);
        if (problem !== undefined) problems.push(`${relative(repo, path)}:${line}: ${problem}`);
      }
  return { count, problems: [...problems, ...unlisted(pages)] };
}

/** Pages of docs/ that its list of pages does not name. */
function unlisted(pages) {
  const list = pages.find(({ path }) => path === join(repo, 'docs/README.md'));
  const listed = new Set(
    list.lines.flatMap(({ text }) =>
      [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => resolve(repo, 'docs', target)),
    ),
  );
  return pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith(join(repo, 'docs/')) && path !== list.path && !listed.has(path))
    .map((path) => `docs/README.md does not list ${relative(repo, path)}`);
}

function problemOf(path, target, anchors) {
  const [file, anchor] = target.split('#');
  const leadsTo = file === '' ? path : resolve(dirname(path), decodeURIComponent(file));
  if (!existsSync(leadsTo)) return `${target} leads nowhere`;
  if (anchor === undefined) return undefined;
  const known = anchors.get(leadsTo);
  return known === undefined || known.has(anchor) ? undefined : `${target}: the page has no such heading`;
}

/** As GitHub makes them of headings. */
function anchorsOf({ lines }) {
  const anchors = new Set();
  const seen = new Map();
  for (const { text } of lines) {
    const [, heading] = /^#{1,6} +(.+?) *$/.exec(text) ?? [];
    if (heading === undefined) continue;
    const anchor = headingAnchor(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}
