import { expect, test } from '@jest/globals';
import {
  ColumnType,
  Get,
  IntegerColumn,
  List,
  ManyToManyIdsColumn,
  StringColumn,
} from '@nest-endpoints/core';
import { Book } from '../support/entities/library.js';
import { Band, studio } from '../support/entities/studio.js';
import { stopped } from './stopped.js';

class Notes extends ColumnType {
  readonly name = 'Notes';
  override readonly storage = 'json';
  readonly schema = {};

  complaint(): undefined {
    return undefined;
  }

  toWire(value: unknown): string {
    return String(value);
  }
}

class Sealed extends StringColumn {
  override readonly name = 'Sealed';
  override readonly unusableBecause = 'is sealed: nobody has its key';
}

const listed = {
  url: 'books',
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

test("A user's own type that is kept as JSON stops the start where it is sorted by", async () => {
  const list = () => new List({ ...listed, columnOverrides: { title: { type: new Notes() } } });
  expect(await stopped(list)).toMatch(/List 'books': sortableColumnNames: 'title' cannot be sorted by/);
});

test("A column of a user's own type that cannot be used stops the start with the type's reason", async () => {
  const list = () => new List({ ...listed, columnOverrides: { title: { type: new Sealed() } } });
  expect(await stopped(list)).toMatch(/List 'books': .*'title' is sealed: nobody has its key/);
});

test('A type that does not fit how a relation is kept stops the start', async () => {
  const get = { url: 'bands/:id', modelClass: Band, readableColumnNames: ['name'] } as const;
  const keys = new ManyToManyIdsColumn(new IntegerColumn());
  const ofColumn = () => new Get({ ...get, columnOverrides: { name: { type: keys } } });
  expect(await stopped(ofColumn, { entities: studio })).toMatch(
    /'name'.*a ManyToManyIds column is not possible here: the property is no to-many relation/,
  );
  const ofKeys = () => new Get({ ...get, columnOverrides: { genreCodes: { type: new StringColumn() } } });
  expect(await stopped(ofKeys, { entities: studio })).toMatch(
    /'genreCodes'.*a String column is not possible here: the property holds keys of related records/,
  );
});
