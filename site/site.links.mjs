// Whether links of the built site lead to files that there are, and to anchors that they have. Those of the repository are
// checked where the pages are: `npm run docs:check`.
import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

const named = /\s(?:id|name)=(?:"([^"]*)"|([^\s>"]+))/g;
const linked = /\s(?:href|src)=(?:"([^"]*)"|([^\s>"]+))/g;

/** A page that is made up, with a link to nothing and one to an anchor that is not there. */
const wrongPage = '<a href="nowhere.html">1</a> <a id="here" href="#nowhere">2</a> <a href="#here">3</a>';

/**
 * @param {string} dist
 * @param {string} base the path of the site on its host
 */
export async function checkSite(dist, base) {
  const files = new Set(
    (await Array.fromAsync(glob('**/*', { cwd: dist, withFileTypes: true })))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => posix.relative(dist, join(parentPath, name))),
  );
  const pages = new Map([['wrong.html', wrongPage]]);
  for (const file of files)
    if (file.endsWith('.html')) pages.set(file, await readFile(join(dist, file), 'utf8'));
  const anchors = new Map([...pages].map(([file, text]) => [file, anchorsOf(text)]));
  const found = { pages: pages.size - 1, links: 0, problems: [] };
  const noticed = [];
  for (const [page, text] of pages)
    for (const link of new Set(valuesOf(text, linked))) {
      if (/^([a-z]+:|\/\/)/i.test(link)) continue;
      found.links += 1;
      const problem = problemOf(page, link, base, files, anchors);
      if (problem === undefined) continue;
      if (page === 'wrong.html') noticed.push(problem);
      else found.problems.push(`${page}: ${problem}`);
    }
  if (noticed.length !== 2) found.problems.push(`of 2 wrong links ${noticed.length} were noticed`);
  return found;
}

function problemOf(page, link, base, files, anchors) {
  const [path, anchor] = link.split('#');
  const target = fileOf(page, decodeURI(path.split('?')[0]), base);
  const file = [target, posix.join(target, 'index.html'), `${target}.html`].find((one) => files.has(one));
  const found = path === '' ? page : file;
  if (found === undefined) return `${link} leads nowhere`;
  if (anchor === undefined || anchor === '') return undefined;
  const known = anchors.get(found);
  return known === undefined || known.has(decodeURIComponent(anchor)) ? undefined : `${link}: no such anchor`;
}

function fileOf(page, path, base) {
  if (!path.startsWith('/')) return posix.join(posix.dirname(page), path);
  return path.startsWith(base) ? posix.normalize(`./${path.slice(base.length)}`) : path;
}

function anchorsOf(text) {
  return new Set(valuesOf(text, named));
}

function valuesOf(text, pattern) {
  return [...text.matchAll(pattern)].map(([, quoted, bare]) => plain(quoted ?? bare));
}

function plain(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
