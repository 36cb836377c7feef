// The site of the documentation: the pages of `docs/` as they are, with a search, and the API of every public name beside them.
// `npm run docs:site` builds it.
import { defineConfig } from 'vitepress';
import { headingAnchor } from '../heading.anchor.mjs';
import { linkToRepository, repository } from '../repository.links.mjs';
import { sidebar } from '../sidebar.mjs';

export default defineConfig({
  title: 'Nest Endpoints',
  description: 'Declared JSON endpoints for NestJS and MikroORM',
  lang: 'en',
  srcDir: '../docs',
  base: process.env.SITE_BASE || '/',
  rewrites: { 'README.md': 'index.md' },
  // What only the checks of the pages read would be sent to every reader.
  vue: { template: { compilerOptions: { comments: false } } },
  markdown: {
    anchor: { slugify: headingAnchor },
    config: (markdown) => {
      markdown.use(linkToRepository);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Documentation', link: '/' },
      // Written by typedoc: no page of this application.
      { text: 'API', link: '/api/index.html', target: '_self' },
      { text: 'Changelog', link: `${repository}/blob/main/CHANGELOG.md` },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: {
      pattern: `${repository}/edit/main/docs/:path`,
      text: 'Change this page',
    },
  },
});
