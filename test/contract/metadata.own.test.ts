import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  ColumnType,
  Create,
  EmptinessValidator,
  Get,
  IntegerColumn,
  RecordValidator,
  SimpleSearch,
  ValueValidator,
  defineColumns,
  type ComplaintContext,
  type RecordQuestions,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

/** A length: `12 cm` in a body, `12` in a path or a query string, 12 in the database. */
class Centimetres extends ColumnType {
  readonly name = 'Centimetres';
  readonly schema = { type: 'string' };

  complaint(value: unknown): string | undefined {
    return typeof value === 'string' && /^\d{1,4} cm$/.test(value) ? undefined : 'value should be a length';
  }

  override fromText(text: string): unknown {
    return `${text} cm`;
  }

  override toDatabase(value: unknown): number {
    return Number.parseInt(String(value), 10);
  }

  toWire(value: unknown): string {
    return JSON.stringify(`${String(value)} cm`);
  }
}

/** A count of dozens on the wire, of pieces in the database: one of the library's types, changed a little. */
class Dozens extends IntegerColumn {
  override toDatabase(value: unknown): number {
    return Number(value) * 12;
  }

  override toWire(value: unknown): string {
    return String(Number(value) / 12);
  }
}

class Even extends ValueValidator {
  readonly name = 'Even';
  complaint(value: unknown, { columnName }: ComplaintContext): string | undefined {
    return Number(value) % 2 === 0 ? undefined : `'${columnName}' should be even`;
  }
}

class Wanted extends EmptinessValidator {
  readonly name = 'Wanted';
  complaintAboutEmpty({ columnName }: ComplaintContext): string {
    return `please give '${columnName}'`;
  }
}

/** Only what another record has as well. */
class Known extends RecordValidator {
  readonly name = 'Known';
  async complaint(value: unknown, records: RecordQuestions): Promise<string | undefined> {
    return (await records.isTaken(value)) ? undefined : 'nobody knows this value';
  }
}

const Board = defineEntity({
  name: 'Board',
  properties: {
    id: p.integer().primary().autoincrement(),
    width: p.integer().unique(),
    holes: p.integer().nullable(),
    screws: p.integer().nullable(),
    maker: p.string().nullable(),
  },
});

defineColumns(Board, {
  width: { type: new Centimetres() },
  holes: { validators: [new Even()] },
  screws: { type: new Dozens() },
  maker: { validators: [new Wanted(), new Known()] },
});

const columns = ['width', 'holes', 'screws', 'maker'] as const;
const boards = { modelClass: Board, readableColumnNames: columns, writeableColumnNames: columns } as const;

const { contract } = service(
  {
    entities: [Board],
    endpoints: [
      new Create({ ...boards, url: 'boards' }),
      new Get({ ...boards, url: 'boards/:width', recordLookupColumnName: 'width' }),
      new SimpleSearch({
        modelClass: Board,
        url: 'found',
        readableColumnNames: ['width'],
        searchableColumnNames: ['width'],
        sortableColumnNames: ['width'],
        defaultSortColumnName: 'width',
      }),
    ],
  },
  everyDatabase,
);

const board = { width: '12 cm', holes: null, screws: null, maker: 'Ann' };
const other = { width: 7, maker: 'Ann' };

contract(
  "A user's own column type reads, refuses, stores and writes values",
  async ({ request, save, em }) => {
    await save(Board, other);
    const refused = await request()
      .post('/boards')
      .send({ ...board, width: 12 });
    expectAnswer(refused, 400, inputErrors({ width: 'value should be a length' }));
    expectAnswer(await request().post('/boards').send(board), 201, success(board));
    expect(await em().count(Board, { width: 12 })).toBe(1);
    expectAnswer(await request().get('/boards/12'), 200, success(board));
    expectAnswer(await request().get('/boards/12%20cm'), 404, notFound);
    expect((await request().get('/found?width=12')).body.data).toEqual([{ width: '12 cm' }]);
  },
);

contract("A user's own column type takes part in Unique", async ({ request, save }) => {
  await save(Board, { ...other, width: 12 });
  const message = "Invalid value for 'width': the given value already exists, and must be unique.";
  expectAnswer(await request().post('/boards').send(board), 400, inputErrors({ width: message }));
});

contract("A user's own column type may extend one of the library's", async ({ request, save, em }) => {
  await save(Board, other);
  const { body } = await request()
    .post('/boards')
    .send({ ...board, screws: 2 });
  expect(body.data.screws).toBe(2);
  expect(await em().findOne(Board, { width: 12 })).toMatchObject({ screws: 24 });
});

contract("A user's own validator refuses values", async ({ request, save }) => {
  await save(Board, other);
  const odd = await request()
    .post('/boards')
    .send({ ...board, holes: 5, maker: 'Bob' });
  expectAnswer(odd, 400, inputErrors({ holes: "'holes' should be even", maker: 'nobody knows this value' }));
  expectAnswer(
    await request()
      .post('/boards')
      .send({ ...board, holes: 6 }),
    201,
    success({ ...board, holes: 6 }),
  );
});

contract("A user's own rule about empty values has its own message", async ({ request }) => {
  for (const makers of [{ maker: null }, { maker: '' }, { maker: ' ' }, {}]) {
    const answer = await request()
      .post('/boards')
      .send({ width: '12 cm', ...makers });
    expectAnswer(answer, 400, inputErrors({ maker: "please give 'maker'" }));
  }
});
