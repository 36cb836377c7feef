import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Has bands, listed in no order of its own. */
export const Label = defineEntity({
  name: 'Label',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    bands: () => p.oneToMany(Band).mappedBy('label'),
  },
});
export type Label = InferEntity<typeof Label>;

/** Every sort of relation: to one and to many, owning and inverse, keys that are numbers, texts and uuids. */
export const Band = defineEntity({
  name: 'Band',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().unique(),
    label: () => p.manyToOne(Label).nullable(),
    albums: () => p.oneToMany(Album).mappedBy('band').orderBy({ year: 'desc' }),
    deal: () => p.oneToOne(Deal).mappedBy('band').nullable(),
    genres: () => p.manyToMany(Genre),
    musicians: () => p.manyToMany(Musician),
    hobbies: () => p.manyToMany(Hobby),
    updated: p
      .datetime(3)
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
});
export type Band = InferEntity<typeof Band>;

/** Refers to its band, which has at most one. */
export const Deal = defineEntity({
  name: 'Deal',
  properties: {
    id: p.integer().primary(),
    signedOn: p.date(),
    band: () => p.oneToOne(Band),
  },
});
export type Deal = InferEntity<typeof Deal>;

export const Album = defineEntity({
  name: 'Album',
  properties: {
    id: p.integer().primary(),
    title: p.string(),
    year: p.integer().nullable(),
    band: () => p.manyToOne(Band),
    producer: () => p.manyToOne(Musician).nullable(),
    tracks: () => p.oneToMany(Track).mappedBy('album'),
  },
});
export type Album = InferEntity<typeof Album>;

export const Track = defineEntity({
  name: 'Track',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    playTime: p.integer().nullable(),
    album: () => p.manyToOne(Album),
  },
});

/** Found by a text; the inverse side of the bands that play it. */
export const Genre = defineEntity({
  name: 'Genre',
  properties: {
    code: p.string().length(8).primary(),
    name: p.string(),
    bands: () => p.manyToMany(Band).mappedBy('genres'),
  },
});
export type Genre = InferEntity<typeof Genre>;

/** Hidden by a filter once retired. */
export const Musician = defineEntity({
  name: 'Musician',
  filters: { active: { name: 'active', cond: { retired: false }, default: true } },
  properties: {
    id: p.uuid().primary(),
    name: p.string(),
    pin: p.string().hidden().nullable(),
    retired: p.boolean().default(false),
    bands: () => p.manyToMany(Band).mappedBy('musicians'),
  },
});
export type Musician = InferEntity<typeof Musician>;

/** Its name makes a plural in -ies. */
export const Hobby = defineEntity({
  name: 'Hobby',
  properties: { id: p.integer().primary(), name: p.string() },
});

export const studio = [Label, Band, Deal, Album, Track, Genre, Musician, Hobby];
