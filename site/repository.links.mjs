// Links of the pages, which are written for whoever reads them in the repository, as links of the site.
import { posix } from 'node:path';

export const repository = 'https://github.com/nest-endpoints/nest-endpoints';

/**
 * What is outside of `docs/`, and a folder, is on GitHub. The first page is `README.md` in the repository, and the index here.
 * @param {string} href
 * @param {string} page the path of the page, below `docs/`
 */
function siteLink(href, page) {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = posix.join('docs', posix.dirname(page), path);
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (target.endsWith('/')) return `${repository}/tree/main/${target}`;
  if (!target.startsWith('docs/')) return `${repository}/blob/main/${target}${suffix}`;
  return target === 'docs/README.md' ? `${path.replace(/README\.md$/, 'index.md')}${suffix}` : href;
}

/**
 * A plugin of markdown-it, of which VitePress has one.
 * @param {{ core: { ruler: { push(name: string, rule: (state: object) => void): void } } }} markdown
 */
export function linkToRepository(markdown) {
  markdown.core.ruler.push('links to the repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'link_open')
        token.attrSet('href', siteLink(token.attrGet('href') ?? '', env.relativePath));
  });
}
