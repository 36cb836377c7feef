import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  Create,
  DatetimeColumn,
  IntegerColumn,
  ListColumn,
  MaximumValue,
  MinimumLength,
  MinimumValue,
  PhoneColumn,
  TimestampColumn,
  defineColumns,
} from '@nest-endpoints/core';
import { isMariaDb } from '../support/database.js';

/** MariaDB has no type for lists: the column says what is in it. */
const shortStops = isMariaDb ? p.array<number>() : p.array<number>().columnType('smallint[]');

/** The column types that a Book has not, and the ranges of the database's numbers. */
export const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary().autoincrement(),
    tracking: p.uuid().nullable(),
    sender: p.string().length(20).nullable(),
    pieces: p.smallint().nullable(),
    floor: p.integer().nullable(),
    volume: p.bigint('number').nullable(),
    barcode: p.bigint('string').nullable(),
    weight: p.float().nullable(),
    value: p.decimal('string').precision(10).scale(2).nullable(),
    size: p.enum(['small', 'large']).nullable(),
    labels: p.json<object>().nullable(),
    phone: p.string().nullable(),
    marks: p.array().nullable(),
    stops: shortStops.nullable(),
    scannedAt: p.datetime(3).nullable(),
    collectedAt: p.datetime().nullable(),
  },
});
export type Parcel = InferEntity<typeof Parcel>;

defineColumns(Parcel, {
  sender: { validators: [new MinimumLength(3)] },
  floor: { validators: [new MinimumValue(-2), new MaximumValue(40)] },
  scannedAt: { type: new DatetimeColumn({ precision: 'milliseconds' }) },
  collectedAt: { type: new TimestampColumn() },
  phone: { type: new PhoneColumn() },
  ...(isMariaDb && { stops: { type: new ListColumn(new IntegerColumn()) } }),
});

/** All columns that a client may set. */
export const parcelColumns = [
  'tracking',
  'sender',
  'pieces',
  'floor',
  'volume',
  'barcode',
  'weight',
  'value',
  'size',
  'labels',
  'phone',
  'marks',
  'stops',
  'scannedAt',
  'collectedAt',
] as const;

/** Makes parcels by POST on `parcels`. */
export const parcels = (options: { url?: string; transformInputTypes?: boolean } = {}) =>
  new Create({
    url: 'parcels',
    modelClass: Parcel,
    readableColumnNames: ['id', ...parcelColumns],
    writeableColumnNames: parcelColumns,
    ...options,
  });
