import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  AdvancedSearch,
  defineColumns,
  IdempotencyRecord,
  PlainAnswers,
  RestfulApi,
  SimpleSearch,
  Upsert,
} from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';

/** Far away: the parent of a parent. */
const Land = defineEntity({
  name: 'Land',
  properties: { code: p.string().length(2).primary(), name: p.string(), region: p.string().nullable() },
});

export const Writer = defineEntity({
  name: 'Writer',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    pin: p.string().hidden().nullable(),
    land: () => p.manyToOne(Land).nullable(),
  },
});

const Tag = defineEntity({
  name: 'Tag',
  properties: { id: p.integer().primary().autoincrement(false), name: p.string() },
});

/** A record with a version, parents, and lists of records and of keys. */
export const Story = defineEntity({
  name: 'Story',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    pages: p.integer().nullable(),
    slug: p.string().nullable().unique(),
    secret: p.string().hidden().nullable(),
    writer: () => p.manyToOne(Writer).nullable(),
    tags: () => p.manyToMany(Tag),
    remarks: () => p.oneToMany(Remark).mappedBy('story').orderBy({ id: 'asc' }),
    version: p.integer().version(),
  },
});
export type Story = InferEntity<typeof Story>;

export const Remark = defineEntity({
  name: 'Remark',
  properties: {
    id: p.integer().primary(),
    text: p.string(),
    stars: p.integer().nullable(),
    story: () => p.manyToOne(Story),
    by: () => p.manyToOne(Writer).nullable(),
  },
});

defineColumns(Story, {
  writer: { readableParentColumnNames: ['id', 'name'] },
  remarks: { readableParentColumnNames: ['id', 'text'], limit: 0 },
});

export const press = [Land, Writer, Tag, Story, Remark];

/** Without lists to write, so that one statement writes it. */
export const stories = {
  modelClass: Story,
  readableColumnNames: ['id', 'title', 'pages', 'writer.name'],
  writeableColumnNames: ['title', 'pages', 'slug', 'writerId'],
  sortableColumnNames: ['id', 'title', 'pages', 'writer.name'],
  searchableColumnNames: ['id', 'title', 'pages', 'writer.name'],
  defaultSortColumnName: 'id',
} as const;

/** All that clients may ask for beside. */
const beside = [
  'slug',
  'writer.land.name',
  'writer.land.region',
  'tagIds',
  'remarks',
  'remarks.by.name',
] as const;

const selected = {
  ...stories,
  clientSelectsColumns: true,
  includableColumnNames: [...beside],
} as const;

/** The names that `fields` takes, and those that `include` does, as sentences list them. */
export const names =
  'id, title, pages, writer, writer.name, writer.land, writer.land.name, writer.land.region, slug, tag_ids, ' +
  'remarks, remarks.id, remarks.text, remarks.by, remarks.by.name';
export const includable =
  'slug, writer, writer.land, writer.land.name, writer.land.region, tag_ids, remarks, remarks.id, remarks.text, ' +
  'remarks.by, remarks.by.name';

export const pressWith = (options: Partial<ApplicationOptions> = {}): ApplicationOptions => ({
  entities: [...press, IdempotencyRecord],
  endpoints: [
    new AdvancedSearch({ ...selected, url: 'stories/search' }),
    new AdvancedSearch({ ...selected, url: 'keyset/search', pagination: 'keyset' }),
    new RestfulApi({ ...selected, url: 'stories', idempotency: true, bulk: true }),
    new RestfulApi({ ...selected, url: 'keys', bulk: ['create'], answer: 'ids' }),
    new Upsert({
      url: 'tags/:id',
      modelClass: Tag,
      readableColumnNames: ['id', 'name'],
      writeableColumnNames: ['name'],
      clientSelectsColumns: true,
    }),
    new RestfulApi({ ...stories, url: 'plain' }),
    new RestfulApi({ ...stories, clientSelectsColumns: true, url: 'fields' }),
    new RestfulApi({ ...stories, includableColumnNames: [...beside], url: 'includes' }),
    new RestfulApi({ ...selected, url: 'titled', externalCasing: 'TitleCase' }),
    new AdvancedSearch({ ...selected, url: 'titled-search', externalCasing: 'TitleCase' }),
    new RestfulApi({ ...selected, url: 'hooked', beforeSave: () => undefined }),
    new RestfulApi({ ...selected, url: 'bare', answers: new PlainAnswers() }),
    new SimpleSearch({ ...selected, url: 'keyset', pagination: 'keyset' }),
  ],
  ...options,
});

/** Two stories of one writer, and one of nobody. */
export const write = async ({ save }: Pick<Subject, 'save'>): Promise<void> => {
  const land = await save(Land, { code: 'IE', name: 'Ireland', region: 'Europe' });
  const writer = await save(Writer, { id: 1, name: 'Ann', pin: '0000', land });
  const tags = [await save(Tag, { id: 1, name: 'old' }), await save(Tag, { id: 2, name: 'new' })];
  const one = await save(Story, { title: 'One', pages: 10, slug: 'one', secret: 's', writer, tags });
  const two = await save(Story, { title: 'Two', pages: 20, writer });
  await save(Story, { title: 'Three' });
  await save(Remark, { id: 1, text: 'good', stars: 5, story: one, by: writer });
  await save(Remark, { id: 2, text: 'bad', story: one });
  await save(Remark, { id: 3, text: 'so so', story: two });
};
