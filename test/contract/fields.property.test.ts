import { expect, jest } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Get, SimpleSearch } from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { press, Story, write } from './fields.press.js';

jest.setTimeout(240_000);

const Size = defineEntity({
  name: 'Size',
  embeddable: true,
  properties: { width: p.integer().nullable(), height: p.integer().nullable() },
});
const Poster = defineEntity({
  name: 'Poster',
  properties: {
    id: p.integer().primary(),
    text: p.string().nullable(),
    size: () => p.embedded(Size),
    story: () => p.manyToOne(Story).nullable(),
  },
});

const readable = ['id', 'size.width', 'story.title', 'story.writer.name', 'size.height'] as const;
const includable = [
  'story.writer.land.region',
  'story.remarks.by.land.name' as 'story.remarks.by.name',
  'story.remarks.stars',
  'text',
  'story.tagIds',
  'story.pages',
] as const;

const posters = {
  modelClass: Poster,
  readableColumnNames: [...readable],
  clientSelectsColumns: true,
  includableColumnNames: [...includable],
} as const;
const listed = {
  ...posters,
  sortableColumnNames: ['id', 'story.title'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [...press, Poster],
    endpoints: [
      new SimpleSearch({ ...listed, url: 'posters' }),
      new AdvancedSearch({ ...listed, url: 'search', pagination: 'keyset' }),
      new Get({ ...posters, url: 'posters/:id' }),
    ],
  },
  everyDatabase,
);

const outward = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const leaves = (names: readonly string[]) => names.map(outward);

/** The relations on the way to columns, which stand for all of them. */
const relations = (names: readonly string[]) => [
  ...new Set(
    names.flatMap((name) =>
      name
        .split('.')
        .slice(0, -1)
        .map((_, depth, parts) => parts.slice(0, depth + 1).join('.')),
    ),
  ),
];

const all = leaves([...readable, ...includable]);
const more = leaves(includable);

const covers = (name: string, column: string) => column === name || column.startsWith(`${name}.`);

/** The columns that names stand for among some. */
const meant = (names: readonly string[], among: readonly string[]) =>
  among.filter((column) => names.some((name) => covers(name, column)));

/** A record with nothing but some columns. */
const cut = (value: unknown, columns: readonly string[], path = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => cut(one, columns, path));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return columns.some((column) => covers(own, column)) ? [[name, cut(member, columns, own)]] : [];
  });
  return Object.fromEntries(members) as unknown;
};

const some = (names: readonly string[]) =>
  fc.shuffledSubarray([...names, ...relations(names)], { minLength: 1, maxLength: 5 });

const selections = fc.record({
  fields: fc.option(some(all), { nil: undefined }),
  include: fc.option(some(more), { nil: undefined }),
});
type Asked = typeof selections extends fc.Arbitrary<infer T> ? T : never;

const queryOf = ({ fields, include }: Asked) =>
  [
    ...(fields === undefined ? [] : [`fields=${fields.join(',')}`]),
    ...(include === undefined ? [] : [`include=${include.join(',')}`]),
  ].join('&');

const shown = async (answer: PromiseLike<{ body: { error: string; data: unknown } }>) => {
  const { body } = await answer;
  expect(body.error).toBe('');
  return body.data;
};

const hang = async (subject: Subject): Promise<void> => {
  await write(subject);
  const stories = await subject.em().find(Story, {});
  for (const [index, story] of stories.entries())
    await subject.save(Poster, {
      id: index + 1,
      text: `t${index}`,
      size: { width: index, height: null },
      story,
    });
  await subject.save(Poster, { id: 9, text: null, size: { width: null, height: 4 }, story: null });
};

contract('Whatever is selected is what the whole answer has of it, in its order', async (subject) => {
  await hang(subject);
  const { request } = subject;
  const whole = await shown(request().get(`/posters?include=${more.join(',')}`));
  const usual = await shown(request().get('/posters'));
  expect(JSON.stringify(usual)).toBe(JSON.stringify(cut(whole, leaves(readable))));
  const property = fc.asyncProperty(selections, async (asked) => {
    const { fields, include } = asked;
    const columns = [
      ...(fields === undefined ? leaves(readable) : meant(fields, all)),
      ...(include === undefined ? [] : meant(include, more)),
    ];
    const expected = cut(whole, columns) as unknown[];
    const listedOnes = await shown(request().get(`/posters?${queryOf(asked)}`));
    expect(JSON.stringify(listedOnes)).toBe(JSON.stringify(expected));
    const found = await shown(request().post('/search').send(asked));
    expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
    const one = await shown(request().get(`/posters/1?${queryOf(asked)}`));
    expect(JSON.stringify(one)).toBe(JSON.stringify(expected[0]));
  });
  await fc.assert(property, { numRuns: 60 });
});
