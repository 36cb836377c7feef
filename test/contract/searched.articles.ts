import { expect } from '@jest/globals';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import type { Provider } from '@nestjs/common';
import {
  AdvancedSearch,
  Aggregate,
  Authorization,
  defineColumns,
  FullTextColumn,
  PointColumn,
  SimilarColumn,
  SimpleSearch,
  UpdateMany,
  VirtualColumns,
} from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import type { Page } from './keyset.walk.js';

const ArticleSchema = defineEntity({
  name: 'Article',
  properties: {
    id: p.integer().primary(),
    title: p.string(),
    body: p.text().nullable(),
    tenant: p.integer().default(1),
    latitude: p.double().nullable(),
    longitude: p.double().nullable(),
    words: p
      .string()
      .columnType('tsvector')
      .generated(`(to_tsvector('simple', coalesce("title", ''))) stored`)
      .nullable()
      .lazy(),
  },
});
export class Article extends ArticleSchema.class {
  [VirtualColumns]?: 'text' | 'long' | 'beginning' | 'stored' | 'like' | 'precise' | 'whole' | 'place';
}
ArticleSchema.setClass(Article);

defineColumns(Article, {
  text: { type: new FullTextColumn({ of: { title: 'A', body: 'B' }, configuration: 'english' }) },
  long: { type: new FullTextColumn({ of: 'body', configuration: 'simple' }) },
  beginning: { type: new FullTextColumn({ of: ['title'], configuration: 'simple', prefix: true }) },
  stored: { type: new FullTextColumn({ of: 'title', configuration: 'simple', storedIn: 'words' }) },
  like: { type: new SimilarColumn({ of: 'title', threshold: 0.4 }) },
  precise: { type: new SimilarColumn({ of: 'body', threshold: 0.9 }) },
  place: { type: new PointColumn({ latitude: 'latitude', longitude: 'longitude' }) },
  whole: { type: new SimilarColumn({ of: 'title', mode: 'whole' }) },
});

/** Has the database make an extension before anybody needs it. */
export const withExtensions = (...names: readonly string[]): Provider => ({
  provide: `extensions ${names.join()}`,
  inject: [MikroORM],
  useFactory: async (orm: MikroORM) => {
    for (const name of names)
      await orm.em.getConnection().execute(`create extension if not exists ${name} cascade`);
    return names;
  },
});

/** The options of its searches. */
export const searched = {
  modelClass: Article,
  readableColumnNames: ['id'],
  searchableColumnNames: [
    'id',
    'title',
    'text',
    'long',
    'beginning',
    'stored',
    'like',
    'precise',
    'whole',
    'place',
  ],
  sortableColumnNames: ['id', 'title', 'text', 'long', 'like', 'whole', 'place'],
  defaultSortColumnName: 'id',
} as const;

/** A rule that hides the records of others, whatever is asked of the request. */
export class OfFirstTenant extends Authorization {
  override filterModel(): object {
    return { tenant: 1 };
  }
}

export const application: ApplicationOptions = {
  entities: [Article],
  endpoints: [
    new AdvancedSearch({ ...searched, url: 'articles' }),
    new AdvancedSearch({ ...searched, url: 'keyset', pagination: 'keyset' }),
    new AdvancedSearch({ ...searched, url: 'own', authorization: new OfFirstTenant() }),
    new Aggregate({ url: 'counted', modelClass: Article, searchableColumnNames: ['text', 'like'] }),
    new UpdateMany({
      url: 'many',
      modelClass: Article,
      readableColumnNames: ['id'],
      writeableColumnNames: ['body'],
      searchableColumnNames: ['text', 'like'],
      byConditions: true,
    }),
    new SimpleSearch({ ...searched, url: 'simple', pagination: 'keyset' }),
  ],
  providers: [withExtensions('pg_trgm', 'earthdistance')],
};

/** Stores articles 1, 2, … with these titles and bodies. */
export const write = (
  { em }: Subject,
  ...articles: readonly (readonly [title: string, body?: string | undefined, tenant?: number])[]
): Promise<unknown> =>
  em().insertMany(
    Article,
    articles.map(([title, body, tenant = 1], index) => ({
      id: index + 1,
      title,
      body: body ?? null,
      tenant,
    })),
  );

type Condition = readonly [column: string, operator: string, value: unknown];
/** Conditions of a search body. */
export const where = (...conditions: readonly Condition[]) =>
  conditions.map(([column, operator, value]) => ({ column, operator, value }));

/** The ids that a search finds, in its order. */
export const found = async ({ request }: Subject, body: object, url = '/articles'): Promise<number[]> => {
  const answer = (await request().post(url).send(body)) as Page;
  expect(answer).toMatchObject({ status: 200, body: { error: '' } });
  return answer.body.data.map(({ id }) => id);
};
