import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdminPage } from '@nest-endpoints/admin';
import { AdvancedSearch, EndpointGroup, RestfulApi, softDelete } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import type { Page } from 'playwright-core';
import { licensed } from '../support/documents.js';
import { inBrowserOf } from '../support/in.browser.js';
import { withAdmin } from './admin.browser.js';

/** A record whose name is shown to whoever asks for it. */
const Section = defineEntity({
  name: 'Section',
  properties: { id: p.integer().primary().autoincrement(), name: p.string().length(20) },
});

/** A record most of which is shown to whoever asks for it. */
const Article = defineEntity({
  name: 'Article',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().length(20),
    mood: p.string().length(20),
    body: p.text(),
    section: () => p.manyToOne(Section).ref(),
    words: p.integer().default(0),
    deletedAt: p.datetime().nullable(),
  },
});
softDelete(Article, { columnName: 'deletedAt' });

const articles = {
  modelClass: Article,
  readableColumnNames: ['id', 'title'],
  includableColumnNames: ['mood', 'body', 'section.id', 'words'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

const inBrowser = inBrowserOf({
  entities: [Article, Section],
  root: { externalCasing: 'snake_case' },
  endpoints: [
    new EndpointGroup({
      endpoints: [
        new Schema({ url: 'schema', schemaConfiguration: licensed }),
        new AdminPage({ url: 'admin', resources: ['articles', 'sections'] }),
        new AdvancedSearch({ ...articles, url: 'articles/search' }),
        new RestfulApi({
          ...{ ...articles, url: 'articles', trash: true },
          writeableColumnNames: ['title', 'mood', 'body', 'sectionId'],
        }),
        new RestfulApi({
          url: 'sections',
          modelClass: Section,
          readableColumnNames: ['id'],
          includableColumnNames: ['name'],
          writeableColumnNames: ['name'],
          sortableColumnNames: ['name'],
          searchableColumnNames: ['name'],
          defaultSortColumnName: 'name',
        }),
      ],
    }),
  ],
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

inBrowser(
  'What is shown to whoever asks for it is asked for, by lists, forms and references',
  async (subject) => {
    const section = await subject.save(Section, { name: 'Science' });
    const own = { mood: 'gloomy', body: 'Once upon a time', section, words: 42 };
    await subject.save(Article, { title: 'Stars', ...own });
    await subject.save(Article, { title: 'Moons', ...own, deletedAt: new Date(0) });
    await withAdmin(`${subject.url}/admin`, async (page) => {
      await page.getByText('gloomy').waitFor();
      await page.getByText('Science').waitFor();
      await page.getByText('Stars').first().click();
      const body = page.locator('textarea[name="body"]');
      await body.waitFor();
      expect([await body.inputValue(), await page.locator('input[name="mood"]').inputValue()]).toEqual([
        'Once upon a time',
        'gloomy',
      ]);
      await page.getByText('42').waitFor();
      await page.locator('input[name="title"]').fill('Suns');
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.request().method() === 'PATCH'),
        button(page, 'Save').click(),
      ]);
      expect([response.status(), response.request().postDataJSON()]).toEqual([200, { title: 'Suns' }]);
      await page.getByRole('link', { name: 'Trash' }).click();
      await page.getByText('Moons').waitFor();
      await page.getByText('gloomy').waitFor();
      await page.goto(`${subject.url}/admin#/sections`);
      await page.getByText('Science').waitFor();
    });
    expect(await subject.em().findOne(Article, { title: 'Suns' })).toMatchObject({
      body: own.body,
      mood: 'gloomy',
    });
  },
);
