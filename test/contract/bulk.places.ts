import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { defineColumns, RecordValidator, type RecordQuestions, Unique } from '@nest-endpoints/core';

/** A parent of places. */
export const Land = defineEntity({
  name: 'Land',
  properties: { code: p.string().length(2).primary(), name: p.string() },
});
export type Land = InferEntity<typeof Land>;

/** A record with whatever many of them may be refused for: a unique column, a parent, a rule of the database alone. */
export const Place = defineEntity({
  name: 'Place',
  tableName: 'place',
  checks: [{ name: 'place_size', expression: 'size < 1000' }],
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(100),
    code: p.string().nullable().unique(),
    word: p.string().nullable(),
    size: p.integer().nullable(),
    mood: p.string().defaultRaw("'calm'"),
    land: () => p.manyToOne(Land).nullable(),
    version: p.integer().version(),
  },
});
export type Place = InferEntity<typeof Place>;

/** A rule of the user's own that asks: no two words that differ in the case of their letters alone. */
class OtherWord extends RecordValidator {
  readonly name = 'OtherWord';

  async complaint(value: unknown, records: RecordQuestions): Promise<string | undefined> {
    await Promise.resolve();
    return (await records.isTaken(value)) ? 'take another word' : undefined;
  }
}

defineColumns(Place, {
  code: { validators: [new Unique()] },
  word: { validators: [new OtherWord()] },
});

export const land = [Land, Place];

export const columns = {
  modelClass: Place,
  readableColumnNames: ['id', 'name', 'code', 'size', 'mood', 'land.name'],
  writeableColumnNames: ['name', 'code', 'word', 'size', 'mood', 'landCode'],
} as const;

/** As many records as are asked for, by number. */
export const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

type SavePlace = (
  entity: typeof Place,
  values: { name: string; size: number; code: string },
) => Promise<unknown>;

/** Stores places with names, codes and sizes by number, from 1. */
export const placesOf = async (save: SavePlace, count: number): Promise<void> => {
  for (const number of many(count, (index) => index + 1))
    await save(Place, { name: `n${number}`, size: number, code: `c${number}` });
};
