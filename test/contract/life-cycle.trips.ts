import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** What happened, in order. Tests empty it. */
export const heard: string[] = [];

export const Trip = defineEntity({
  name: 'Trip',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().unique(),
    startsOn: p.date().nullable(),
    endsOn: p.date().nullable(),
    slug: p.string().default(''),
  },
});
export type Trip = InferEntity<typeof Trip>;

/** What a service of the user's writes beside trips. */
export const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary().autoincrement(), text: p.string() },
});

/** What every endpoint over trips says. */
export const trips = {
  modelClass: Trip,
  readableColumnNames: ['title', 'startsOn', 'endsOn', 'slug'],
  writeableColumnNames: ['title', 'startsOn', 'endsOn'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

/** How a trip is answered. */
export const shown = (title: string, more: Readonly<Record<string, unknown>> = {}) => ({
  title,
  starts_on: null,
  ends_on: null,
  slug: '',
  ...more,
});
