import type { SqlEntityManager } from '@mikro-orm/sql';
import { fc } from '../support/property.js';
import type { Subject } from '../support/contract.js';
import type { DatabaseName } from '../support/database.js';
import { Depot, Mark, Part, Region, Ware } from '../support/entities/stock.js';

/** A ware as a client sees it, and what is behind it. Plain values: the reference that searches are compared with. */
export interface PlainWare {
  readonly id: number;
  readonly label: string | null;
  readonly size: number | null;
  readonly weight: number | null;
  readonly price: string | null;
  readonly serial: string | null;
  readonly fragile: boolean | null;
  readonly madeOn: string | null;
  /** Microseconds since 1970. */
  readonly soldAt: number | null;
  readonly checkedAt: number | null;
  readonly code: string | null;
  readonly state: string | null;
  readonly depot: PlainDepot | null;
  readonly parts: readonly {
    readonly id: number;
    readonly name: string | null;
    readonly count: number | null;
  }[];
  readonly tags: readonly { readonly id: number; readonly word: string }[];
}

interface PlainDepot {
  readonly id: number;
  readonly name: string;
  readonly rank: number | null;
  readonly region: { readonly id: number; readonly title: string | null } | null;
}

/** Small domains, so that records tie and conditions are met; letters whose order differs between collations. */
export const domains = {
  label: ['', 'a', 'A', 'b', 'ab', 'a%b', 'a_b', 'a\\b', 'é', 'z', 'Z', 'ß', '日本', '😀', '\u202eabc', ' a'],
  size: [0, 1, -1, 2, 7, 2_147_483_647, -2_147_483_648],
  weight: [0, 0.1, 0.30000000000000004, 1 / 3, -2.5, 1e300, 5e-324, 1e-7],
  price: ['0.00', '0.10', '9.99', '10.00', '-3.50', '1234567890.12'],
  serial: ['0', '1', '9007199254740993', '9007199254740992', '-9223372036854775808', '9223372036854775807'],
  fragile: [true, false],
  madeOn: ['0001-01-01', '1999-12-31', '2000-02-29', '2024-05-05', '9999-12-31'],
  checkedAt: [0, 1, -1, 1_700_000_000],
  code: ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  state: ['new', 'used', 'Broken'],
} as const;

/** The instants, in milliseconds; every record adds some microseconds of its own. */
export const instants = [
  '2024-05-05T10:00:00.000Z',
  '2024-05-05T10:00:00.999Z',
  '2024-05-05T10:00:01.000Z',
  '1969-12-31T23:59:59.500Z',
].map((text) => Date.parse(text));

const depots: readonly PlainDepot[] = [
  { id: 1, name: 'north', rank: 1, region: { id: 1, title: 'a' } },
  { id: 2, name: 'South', rank: null, region: { id: 2, title: null } },
  { id: 3, name: 'east', rank: 2, region: null },
  { id: 4, name: '', rank: 2, region: { id: 3, title: 'B' } },
];

const marks = ['red', 'Blue', ''].map((word, index) => ({ id: index + 1, word }));

const nullable = <T>(values: readonly T[]): fc.Arbitrary<T | null> =>
  fc.option(fc.constantFrom(...values), { freq: 4 });

const part = fc.record({ name: nullable(['bolt', 'Nut', 'a%b']), count: nullable([0, 1, 2, 3]) });

const values = fc.record({
  label: nullable(domains.label),
  size: nullable(domains.size),
  weight: nullable(domains.weight),
  price: nullable(domains.price),
  serial: nullable(domains.serial),
  fragile: nullable(domains.fragile),
  madeOn: nullable(domains.madeOn),
  soldAt: nullable(instants),
  checkedAt: nullable(domains.checkedAt),
  code: nullable(domains.code),
  state: nullable(domains.state),
  depot: nullable(depots),
  parts: fc.array(part, { maxLength: 3 }),
  tags: fc.subarray(marks),
});

/** What an instant keeps beyond milliseconds. */
const microseconds: Record<DatabaseName, (id: number) => number> = {
  postgresql: (id) => id % 7,
  pglite: (id) => id % 7,
  sqlite: () => 0,
  mariadb: (id) => id % 7,
};

const addMicroseconds = (database: DatabaseName): string =>
  database === 'mariadb'
    ? 'update ware set sold_at = sold_at + interval (id % 7) microsecond'
    : `update ware set sold_at = sold_at + (id % 7) * interval '1 microsecond'`;

/** The same records for the same seed. */
export const someWares = ({ database }: Subject, count: number, seed: number): PlainWare[] => {
  let parts = 0;
  return fc.sample(values, { numRuns: count, seed }).map((ware, index) => ({
    ...ware,
    id: index + 1,
    soldAt: ware.soldAt === null ? null : ware.soldAt * 1000 + microseconds[database](index + 1),
    parts: ware.parts.map((one) => ({ ...one, id: ++parts })),
  }));
};

/** Stores them; the database adds the microseconds, which a JavaScript date cannot hold. */
export const storeWares = async (subject: Subject, wares: readonly PlainWare[]): Promise<void> => {
  const em = subject.em() as SqlEntityManager;
  await em.insertMany(
    Region,
    depots.flatMap(({ region }) => (region ? [region] : [])),
  );
  await em.insertMany(
    Depot,
    depots.map((depot) => ({ ...depot, region: depot.region?.id ?? null })),
  );
  await em.insertMany(Mark, marks);
  const rows = wares.map(({ parts: _parts, tags: _tags, soldAt, depot, ...ware }) => ({
    ...ware,
    soldAt: soldAt === null ? null : new Date(Math.floor(soldAt / 1000)),
    depot: depot?.id ?? null,
  }));
  await em.insertMany(Ware, rows as never);
  await em.insertMany(
    Part,
    wares.flatMap(({ id, parts }) => parts.map((one) => ({ ...one, ware: id }))),
  );
  const pairs = wares.flatMap(({ id, tags }) => tags.map((tag) => `(${id}, ${tag.id})`));
  await em.execute(`insert into ware_tags (ware_id, mark_id) values ${pairs.join(', ')}`);
  if (microseconds[subject.database](1) > 0) await em.execute(addMicroseconds(subject.database));
};
