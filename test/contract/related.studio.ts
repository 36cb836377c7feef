import type { EndpointOrGroup } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import {
  Album,
  Band,
  Deal,
  Genre,
  Hobby,
  Label,
  Musician,
  studio,
  Track,
} from '../support/entities/studio.js';

/** An application that serves the studio: camelCase inside, snake_case outside. */
export const studioWith = (
  endpoints: readonly EndpointOrGroup[],
  options: Partial<ApplicationOptions> = {},
): ApplicationOptions => ({
  entities: studio,
  endpoints: [...endpoints],
  ...options,
});

const uuid = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`;

/** The musicians' keys. */
export const [ann, bob, cid] = [uuid(1), uuid(2), uuid(3)] as const;

/** Two bands of one label and one on its own, which has nothing at all. */
export const record = async ({ save }: Subject): Promise<void> => {
  const label = await save(Label, { id: 1, name: 'Loud' });
  await save(Label, { id: 2, name: 'Mute' });
  const [rock, soul] = [
    await save(Genre, { code: 'rock', name: 'Rock' }),
    await save(Genre, { code: 'soul', name: 'Soul' }),
  ];
  const first = await save(Musician, { id: ann, name: 'Ann', pin: '1234' });
  const second = await save(Musician, { id: bob, name: 'Bob', retired: true });
  await save(Musician, { id: cid, name: 'Cid' });
  const chess = await save(Hobby, { id: 1, name: 'chess' });
  await save(Hobby, { id: 2, name: 'golf' });
  const owls = await save(Band, {
    name: 'Owls',
    label,
    genres: [soul, rock],
    musicians: [second, first],
    hobbies: [chess],
  });
  const jays = await save(Band, { name: 'Jays', label, genres: [rock] });
  await save(Band, { name: 'Wren' });
  await save(Deal, { id: 7, signedOn: '2001-02-03', band: owls });
  const night = await save(Album, { id: 1, title: 'Night', year: 2001, band: owls, producer: first });
  await save(Album, { id: 2, title: 'Day', year: 2003, band: owls, producer: second });
  await save(Album, { id: 3, title: 'Eve', band: owls });
  const nest = await save(Album, { id: 4, title: 'Nest', year: 1999, band: jays });
  await save(Track, { id: 1, name: 'Moon', playTime: 200, album: night });
  await save(Track, { id: 2, name: 'Dark', playTime: 100, album: night });
  await save(Track, { id: 3, name: 'Twig', album: nest });
};
