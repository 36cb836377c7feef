import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { expect } from '@jest/globals';
import { Import } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';
import { deadlock } from '../support/database.js';
import { ended, lines } from './importing.items.js';

const Parcel = defineEntity({
  name: 'Parcel',
  properties: { id: p.integer().primary().autoincrement(false), name: p.string() },
});
type Parcel = InferEntity<typeof Parcel>;

interface Execute {
  readonly em: { execute(sql: string): Promise<unknown> };
}

/** The number of times that the database refuses the fifth parcel because of others. */
let failures = 0;
const told: number[] = [];

const hooks = {
  afterSave: async ({ em, record: { id } }: Execute & { readonly record: { readonly id: number } }) => {
    told.push(id);
    if (id !== 5 || failures === 0) return;
    failures -= 1;
    await em.execute(deadlock);
  },
} as const;

const parcels = { modelClass: Parcel, writeableColumnNames: ['id', 'name'], ...hooks } as const;

/** SQLite has one writer, whom nobody is in the way of. */
const shared = everyDatabase.filter(({ database }) => database !== 'sqlite');

const { contract } = service(
  {
    entities: [Parcel],
    endpoints: [
      new Import({ ...parcels, url: 'parcels', mode: 'chunks' }),
      new Import({ ...parcels, url: 'whole' }),
    ],
  },
  shared,
);

const parcelsOf = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `parcel ${index + 1}` }));

contract(
  'A chunk that the database undoes because of others is tried again, three times at most',
  async (subject) => {
    failures = 3;
    told.length = 0;
    expect(await lines(subject, '/parcels', [...parcelsOf(5), { id: 6 }])).toEqual([
      expect.objectContaining({ line: 6 }),
      ended([6, 5, 0, 1]),
    ]);
    expect(await subject.count(Parcel)).toBe(5);
    expect(told.filter((id) => id === 5)).toHaveLength(4);
  },
);

contract(
  'A chunk that others undo each time ends the import, and the chunks before it are kept',
  async (subject) => {
    failures = 4;
    const sent = parcelsOf(501).map((parcel, index) => ({ ...parcel, id: index === 500 ? 5 : index + 10 }));
    expect(await lines(subject, '/parcels', sent)).toEqual([
      expect.objectContaining({ status: 'failure', error: 'Service Unavailable' }),
    ]);
    expect(await subject.count(Parcel)).toBe(500);
    failures = 0;
  },
);

contract(
  'An import of which all is kept or nothing is not tried again: its lines do not come again',
  async (subject) => {
    failures = 1;
    expect(await lines(subject, '/whole', parcelsOf(5))).toEqual([
      expect.objectContaining({ status: 'failure', error: 'Service Unavailable' }),
    ]);
    expect(await subject.count(Parcel)).toBe(0);
    expect(failures).toBe(0);
  },
);
