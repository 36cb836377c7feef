import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Subject } from '../support/contract.js';

/** Five models in a row, so that a path may be longer than types follow it; lists of records both ways. */
const Planet = defineEntity({
  name: 'Planet',
  properties: { id: p.integer().primary(), fullName: p.string() },
});

const Land = defineEntity({
  name: 'Land',
  properties: {
    id: p.integer().primary(),
    fullName: p.string(),
    planet: () => p.manyToOne(Planet).nullable(),
  },
});

const Town = defineEntity({
  name: 'Town',
  properties: {
    id: p.integer().primary(),
    fullName: p.string(),
    land: () => p.manyToOne(Land).nullable(),
    houses: () => p.oneToMany(House).mappedBy('homeTown'),
  },
});

export const House = defineEntity({
  name: 'House',
  properties: {
    id: p.integer().primary(),
    fullName: p.string(),
    builtOn: p.date().nullable(),
    homeTown: () => p.manyToOne(Town).nullable(),
    rooms: () => p.oneToMany(Room).mappedBy('house'),
    keepers: () => p.manyToMany(Keeper),
  },
});
export type House = InferEntity<typeof House>;

const Room = defineEntity({
  name: 'Room',
  properties: {
    id: p.integer().primary(),
    fullName: p.string().nullable(),
    floorArea: p.integer().nullable(),
    house: () => p.manyToOne(House),
    things: () => p.oneToMany(Thing).mappedBy('room'),
  },
});

const Thing = defineEntity({
  name: 'Thing',
  properties: {
    id: p.integer().primary(),
    fullName: p.string(),
    isOld: p.boolean().nullable(),
    room: () => p.manyToOne(Room),
  },
});

const Keeper = defineEntity({
  name: 'Keeper',
  properties: { id: p.integer().primary(), fullName: p.string() },
});

export const estate = [Planet, Land, Town, House, Room, Thing, Keeper];

/**
 * Houses 1 to 4: the first two in a town on Earth, the third in a town of no land, the fourth in no town. Only the
 * first two have rooms, only the first has several.
 */
export const build = async ({ em }: Subject): Promise<void> => {
  const manager = em();
  await manager.insert(Planet, { id: 1, fullName: 'Earth' });
  await manager.insert(Land, { id: 1, fullName: 'Wessex', planet: 1 });
  await manager.insertMany(Town, [
    { id: 1, fullName: 'Bath', land: 1 },
    { id: 2, fullName: 'Nowhere' },
  ]);
  await manager.insertMany(House, [
    { id: 1, fullName: 'Abbey', builtOn: '1799-01-01', homeTown: 1 },
    { id: 2, fullName: 'Barn', homeTown: 1 },
    { id: 3, fullName: 'Cottage', builtOn: '1811-05-05', homeTown: 2 },
    { id: 4, fullName: 'Den', builtOn: '1790-02-02' },
  ]);
  await manager.insertMany(Room, [
    { id: 1, fullName: 'Hall', floorArea: 90, house: 1 },
    { id: 2, fullName: 'Hall', floorArea: 20, house: 1 },
    { id: 3, fullName: null, floorArea: null, house: 1 },
    { id: 4, fullName: 'Loft', floorArea: 90, house: 2 },
  ]);
  await manager.insertMany(Thing, [
    { id: 1, fullName: 'harp', isOld: true, room: 1 },
    { id: 2, fullName: 'harp', isOld: false, room: 2 },
    { id: 3, fullName: 'rake', isOld: null, room: 4 },
  ]);
  await manager.insertMany(Keeper, [
    { id: 1, fullName: 'Ann' },
    { id: 2, fullName: 'Ben' },
  ]);
  const house = await manager.findOneOrFail(House, 1, { populate: ['keepers'] });
  house.keepers.add(manager.getReference(Keeper, 1), manager.getReference(Keeper, 2));
  await manager.flush();
};
