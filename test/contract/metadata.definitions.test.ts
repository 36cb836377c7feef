import { expect } from '@jest/globals';
import { defineEntity, p, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property, ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import {
  Column,
  ColumnType,
  Create,
  DatetimeColumn,
  EmailColumn,
  Get,
  MaximumLength,
  MinimumValue,
  Required,
  StringColumn,
  TimestampColumn,
  Update,
  defineColumns,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';

/** A count of dozens on the wire, of pieces in the database. */
class Dozens extends ColumnType {
  readonly name = 'Dozens';
  readonly schema = { type: 'integer' };

  complaint(value: unknown): string | undefined {
    return Number.isInteger(value) ? undefined : 'value should be a number of dozens';
  }

  override toDatabase(value: unknown): number {
    return Number(value) * 12;
  }

  toWire(value: unknown): string {
    return String(Number(value) / 12);
  }
}

const Shop = defineEntity({
  name: 'Shop',
  properties: {
    id: p.integer().primary().autoincrement(),
    stars: p.integer().nullable(),
    owner: p.string().nullable(),
  },
});

defineColumns(Shop, {
  stars: { validators: [new MinimumValue(1)] },
  owner: { type: new EmailColumn(), message: 'please write to sales@example.org' },
});

@Entity()
class Letter {
  @PrimaryKey({ type: 'integer', autoincrement: true })
  id!: Opt<number>;

  @Property({ type: 'string', nullable: true })
  @Column({ type: new EmailColumn() })
  to?: string | null;

  @Column({ type: new TimestampColumn(), validators: [new MinimumValue(0)] })
  @Property({ type: 'integer', nullable: true })
  sentAt?: number | null;
}

const columnsOf = <const Name extends string>(...names: readonly Name[]) =>
  ({ readableColumnNames: names, writeableColumnNames: names }) as const;

const shops = { modelClass: Shop, ...columnsOf('stars', 'owner') } as const;
const letters = { modelClass: Letter, ...columnsOf('to', 'sentAt') } as const;
const books = { modelClass: Book, ...columnsOf('title', 'pages', 'contact', 'launchAt') } as const;
const dozens = { columnOverrides: { pages: { type: new Dozens() } } } as const;
const precise = {
  launchAt: { type: new DatetimeColumn({ precision: 'milliseconds' }) },
  ...dozens.columnOverrides,
};
const strict = {
  title: { validators: [new MaximumLength(3)] },
  pages: { validators: [new Required()] },
  contact: { type: new StringColumn() },
};

const { contract } = service(
  {
    ...libraryWith(
      [
        new Create({ ...shops, url: 'shops' }),
        new Create({ ...letters, url: 'letters' }),
        new Create({ ...books, url: 'books' }),
        new Get({ ...books, url: 'books/:id' }),
        new Create({ ...books, url: 'strict', columnOverrides: strict }),
        new Create({ ...books, ...dozens, url: 'dozens' }),
        new Update({ ...books, ...dozens, url: 'dozens/:id' }),
        new Get({ ...books, url: 'precise/:id', columnOverrides: precise }),
      ],
      { orm: { metadataProvider: ReflectMetadataProvider } },
    ),
    entities: [...library, Shop, Letter],
  },
  everyDatabase,
);

const launchAt = new Date('2026-11-21T09:00:00.123Z');

contract('defineColumns says what metadata cannot', async ({ request }) => {
  const answer = await request().post('/shops').send({ stars: 0 });
  expectAnswer(answer, 400, inputErrors({ stars: 'value should be at least 1' }));
  const shop = { stars: 1, owner: 'ann@example.org' };
  expectAnswer(await request().post('/shops').send(shop), 201, success(shop));
});

contract("A message of defineColumns replaces those of the column's type", async ({ request }) => {
  for (const owner of ['nobody', 5]) {
    const answer = await request().post('/shops').send({ owner });
    expectAnswer(answer, 400, inputErrors({ owner: 'please write to sales@example.org' }));
  }
});

contract('The Column decorator says what metadata cannot', async ({ request }) => {
  const wrong = await request().post('/letters').send({ to: 'nobody', sent_at: -1 });
  const complaints = { to: 'value should be an email address', sent_at: 'value should be at least 0' };
  expectAnswer(wrong, 400, inputErrors(complaints));
  const letter = { to: 'ann@example.org', sent_at: 1234567890 };
  expectAnswer(await request().post('/letters').send(letter), 201, success(letter));
});

contract('column_overrides replaces a column for validation', async ({ request }) => {
  const answer = await request().post('/strict').send({ title: 'Emma' });
  const complaints = { title: 'value should be at most 3 characters long', pages: "'pages' is required." };
  expectAnswer(answer, 400, inputErrors(complaints));
  const { status } = await request().post('/strict').send({ title: 'Em', pages: 1, contact: 'nobody' });
  expect(status).toBe(201);
});

contract('column_overrides replaces a column for writes', async ({ request, em, save }) => {
  await request().post('/dozens').send({ title: 'Emma', pages: 2 });
  expect(await em().find(Book, { title: 'Emma' })).toMatchObject([{ pages: 24 }]);
  const { id } = await save(Book, { title: 'Persuasion' });
  await request().patch(`/dozens/${id}`).send({ pages: 3 });
  expect(await em().findOne(Book, id)).toMatchObject({ pages: 36 });
});

contract('column_overrides replaces a column for output', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma', pages: 24, launchAt });
  const { body } = await request().get(`/precise/${id}`);
  expect(body.data).toMatchObject({ pages: 2, launch_at: '2026-11-21T09:00:00.123+00:00' });
});

contract('column_overrides of one endpoint leaves the others alone', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma', pages: 24, launchAt });
  const { body } = await request().get(`/books/${id}`);
  expect(body.data).toMatchObject({ pages: 24, launch_at: '2026-11-21T09:00:00+00:00' });
  const answer = await request().post('/books').send({ title: 'Persuasion', contact: 'nobody' });
  expectAnswer(answer, 400, inputErrors({ contact: 'value should be an email address' }));
});
