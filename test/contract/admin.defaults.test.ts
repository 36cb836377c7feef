import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdminPage } from '@nest-endpoints/admin';
import { ColumnType, defineColumns, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import type { Page } from 'playwright-core';
import { field } from '../support/browser.js';
import { licensed } from '../support/documents.js';
import { inBrowserOf } from '../support/in.browser.js';
import { withAdmin } from './admin.browser.js';

const Tag = defineEntity({
  name: 'Tag',
  properties: { id: p.integer().primary().autoincrement(), name: p.string().length(20) },
});

/** What answers have of it is its name alone. */
const Square = defineEntity({
  name: 'Square',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(20),
    size: p.integer().default(1),
    isOpen: p.boolean(),
    isPaved: p.boolean(),
    note: p.string().length(20).nullable(),
    tags: () => p.manyToMany(Tag),
    benches: () => p.oneToMany(Bench).mappedBy('square'),
  },
});

const Bench = defineEntity({
  name: 'Bench',
  properties: {
    id: p.integer().primary().autoincrement(),
    square: () => p.manyToOne(Square).ref().deleteRule('cascade'),
    place: p.string().length(20),
    seats: p.integer().default(2),
    isDry: p.boolean(),
    repairedOn: p.date().nullable(),
    owners: p.string().array(),
    paint: p.json<unknown>().nullable(),
  },
});

/** A number whose document says what a form starts with. */
class StartingColumn extends ColumnType {
  readonly name = 'Starting';
  readonly schema;

  constructor(start: number) {
    super();
    this.schema = { type: 'integer', default: start };
  }

  complaint(value: unknown): string | undefined {
    return Number.isInteger(value) ? undefined : 'value should be a number';
  }

  toWire(value: unknown): string {
    return JSON.stringify(value);
  }
}

defineColumns(Square, { size: { type: new StartingColumn(1) } });
defineColumns(Bench, { seats: { type: new StartingColumn(2) } });

/** A column of each sort that may be required and empty. */
const Tour = defineEntity({
  name: 'Tour',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(20),
    languages: p.string().array(),
    hours: p.integer().array(),
    extras: p.json<unknown>(),
    departsAt: p.datetime().nullable(),
  },
});

const tour = ['name', 'languages', 'hours', 'extras', 'departsAt'] as const;

const inBrowser = inBrowserOf({
  entities: [Square, Bench, Tour, Tag],
  root: { externalCasing: 'snake_case' },
  endpoints: [
    new EndpointGroup({
      endpoints: [
        new Schema({ url: 'schema', schemaConfiguration: licensed }),
        new AdminPage({ url: 'admin/squares', schema: 'schema', resources: ['squares', 'benches', 'tags'] }),
        new AdminPage({ url: 'admin/tours', schema: 'schema', resources: ['tours'] }),
        new RestfulApi({
          url: 'squares',
          modelClass: Square,
          readableColumnNames: ['id', 'name'],
          writeableColumnNames: ['name', 'size', 'isOpen', 'isPaved', 'note', 'tagIds'],
          sortableColumnNames: ['name'],
          searchableColumnNames: ['name'],
          defaultSortColumnName: 'name',
          writeableRelations: { benches: { through: 'benches' } },
        }),
        new RestfulApi({
          url: 'benches',
          modelClass: Bench,
          readableColumnNames: ['id', 'squareId', 'place', 'owners', 'paint'],
          writeableColumnNames: ['squareId', 'place', 'seats', 'isDry', 'repairedOn', 'owners', 'paint'],
          searchableColumnNames: ['squareId'],
          sortableColumnNames: ['id'],
          defaultSortColumnName: 'id',
        }),
        new RestfulApi({
          url: 'tags',
          modelClass: Tag,
          readableColumnNames: ['id', 'name'],
          writeableColumnNames: ['name'],
          sortableColumnNames: ['name'],
          searchableColumnNames: ['id', 'name'],
          defaultSortColumnName: 'name',
        }),
        new RestfulApi({
          url: 'tours',
          modelClass: Tour,
          readableColumnNames: ['id', ...tour],
          writeableColumnNames: tour,
          sortableColumnNames: ['name'],
          searchableColumnNames: ['name'],
          defaultSortColumnName: 'name',
        }),
      ],
    }),
  ],
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Saves the form, gives the body that the page sends, and waits for the list: the title of the form names the record as well. */
const saved = async (page: Page): Promise<unknown> => {
  const [request] = await Promise.all([
    page.waitForResponse((response) => ['PATCH', 'POST'].includes(response.request().method())),
    button(page, 'Save').click(),
  ]);
  expect([200, 201]).toContain(request.status());
  await button(page, 'Save').waitFor({ state: 'detached' });
  return request.request().postDataJSON() as unknown;
};

inBrowser('A form sends nothing of what a record does not show and nobody has filled in', async (subject) => {
  const tag = await subject.save(Tag, { name: 'old' });
  const own = { size: 7, isOpen: true, isPaved: true, tags: [tag.id] };
  const { id } = await subject.save(Square, { name: 'Plaza', ...own });
  const values = { seats: 5, isDry: true, owners: ['Ann'], paint: { red: 1 } };
  const bench = await subject.save(Bench, { square: id, place: 'North', ...values });
  await withAdmin(`${subject.url}/admin/squares`, async (page) => {
    await page.getByText('Plaza').first().click();
    await page.locator('input[name="benches.0.place"]').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Square');
    await page.locator('input[name="benches.0.place"]').fill('South');
    for (const size of ['9', '']) await field(page, 'Size').fill(size);
    expect(await saved(page)).toEqual({
      name: 'Square',
      benches: { update: [{ id: bench.id, place: 'South' }] },
    });
    await page.getByText('Square', { exact: true }).first().click();
    await field(page, 'Is open').click();
    await field(page, 'Is open').click();
    await field(page, 'Size').fill('8');
    expect(await saved(page)).toEqual({ size: 8, is_open: false });
  });
  const now = await subject.em().findOneOrFail(Square, { id }, { populate: ['tags', 'benches'] });
  expect(now).toMatchObject({ name: 'Square', size: 8, isOpen: false, isPaved: true });
  expect(now.tags.getIdentifiers()).toEqual([tag.id]);
  expect(now.benches.getItems()).toMatchObject([{ ...values, place: 'South' }]);
});

inBrowser('What a record does not show can be emptied, where it may be empty', async (subject) => {
  const tag = await subject.save(Tag, { name: 'old' });
  const own = { isOpen: true, isPaved: true, tags: [tag.id], note: 'Busy' };
  const { id } = await subject.save(Square, { name: 'Plaza', ...own });
  const values = { isDry: true, owners: ['Ann'], repairedOn: '2027-01-02', paint: { red: 1 } };
  const bench = await subject.save(Bench, { square: id, place: 'North', ...values });
  await withAdmin(`${subject.url}/admin/squares`, async (page) => {
    await page.getByText('Plaza').first().click();
    await page.locator('input[name="benches.0.place"]').waitFor();
    const labels = ['Empty “Note” when saved', 'Empty “Tags” when saved', 'Empty “Repaired on” when saved'];
    expect((await page.getByText(/^Empty/).allInnerTexts()).toSorted()).toEqual(labels.toSorted());
    for (const label of labels) await field(page, label).click();
    await field(page, labels[1] ?? '').click();
    expect(await saved(page)).toEqual({
      note: null,
      benches: { update: [{ id: bench.id, repaired_on: null }] },
    });
    await page.getByText('Plaza').first().click();
    await field(page, labels[1] ?? '').click();
    expect(await saved(page)).toEqual({ tag_ids: [] });
  });
  const now = await subject.em().findOneOrFail(Square, { id }, { populate: ['tags', 'benches'] });
  expect(now).toMatchObject({ name: 'Plaza', isOpen: true, note: null });
  expect(now.tags.getIdentifiers()).toEqual([]);
  expect(now.benches.getItems()).toMatchObject([{ place: 'North', isDry: true, repairedOn: null }]);
});

inBrowser('Records that are written along have the defaults, lists and JSON of others', async (subject) => {
  await withAdmin(`${subject.url}/admin/squares`, async (page) => {
    await page.getByRole('link', { name: 'Create' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Plaza');
    await button(page, 'Add to benches').click();
    await field(page, 'Place').fill('North');
    await field(page, 'Paint').fill('{"red": [1]}');
    await field(page, 'Owners').fill('Ann');
    await field(page, 'Owners').press('Enter');
    const bench = { place: 'North', seats: 2, is_dry: false, owners: ['Ann'], paint: { red: [1] } };
    expect(await saved(page)).toMatchObject({ name: 'Plaza', size: 1, benches: [bench] });
    await page.getByText('Plaza').first().click();
    await page.locator('input[name="benches.0.place"]').waitFor();
    await field(page, 'Paint').fill('{"red": [2]}');
    await button(page, 'Add to benches').click();
    await page.locator('input[name="benches.1.place"]').fill('East');
    expect(await saved(page)).toEqual({
      benches: {
        create: [{ place: 'East', seats: 2, is_dry: false, owners: [] }],
        update: [{ id: 1, paint: { red: [2] } }],
      },
    });
  });
});

inBrowser('Required lists and JSON may be empty, and not missing', async (subject) => {
  await withAdmin(`${subject.url}/admin/tours`, async (page) => {
    await page.getByRole('link', { name: 'Create' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Coast');
    await field(page, 'Hours').fill('[]');
    await button(page, 'Save').click();
    await page.getByText('Required', { exact: true }).waitFor();
    await field(page, 'Extras').fill('{}');
    expect(await saved(page)).toEqual({ name: 'Coast', languages: [], hours: [], extras: {} });
    await page.getByText('Coast').first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Hills');
    await field(page, 'Extras').fill('[]');
    expect(await saved(page)).toEqual({ name: 'Hills', extras: [] });
  });
});

inBrowser('An instant in a year that an input cannot show stays as it is', async (subject) => {
  const tourThen = { languages: ['a'], hours: [1], extras: { a: 1 } };
  await subject.save(Tour, { ...tourThen, name: 'Coast', departsAt: new Date('9999-12-31T23:59:59Z') });
  // It is the year 10000 there.
  const reader = { timezoneId: 'Asia/Kolkata' };
  const act = async (page: Page): Promise<void> => {
    await page.getByText('Coast').first().click();
    await field(page, 'Departs at').focus();
    await page.getByRole('textbox', { name: 'Name' }).fill('Hills');
    expect(await saved(page)).toEqual({ name: 'Hills' });
  };
  await withAdmin(`${subject.url}/admin/tours`, act, reader);
});
