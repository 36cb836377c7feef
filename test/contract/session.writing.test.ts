import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Get, RestfulApi } from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { during } from '../support/during.js';

const Birth = defineEntity({
  name: 'Birth',
  properties: { id: p.integer().primary().autoincrement(), bornAt: p.datetime().nullable() },
});

const births = { modelClass: Birth, readableColumnNames: ['id', 'bornAt'] } as const;

const within = (options: string) => ({
  entities: [Birth],
  orm: { driverOptions: { options } },
});

test('An instant is the same in every time zone, also where the offset of its time had seconds', async () => {
  const written = {
    'Europe/Paris': '1905-06-01T10:00:00+00:00',
    'Europe/Dublin': '1900-01-01T00:00:00+00:00',
    'America/New_York': '1850-12-31T23:59:59+00:00',
    'Asia/Kolkata': '2024-02-29T12:00:00+00:00',
  };
  for (const [zone, bornAt] of Object.entries(written)) {
    const options = {
      ...within(`-c timezone=${zone}`),
      endpoints: [
        new RestfulApi({
          ...births,
          url: 'births',
          writeableColumnNames: ['bornAt'],
          searchableColumnNames: ['bornAt'],
          sortableColumnNames: ['bornAt'],
          defaultSortColumnName: 'bornAt',
        }),
      ],
    };
    await during(options, async ({ request }) => {
      const created = await request().post('/births').send({ born_at: bornAt });
      expect([zone, created.body.data.born_at]).toEqual([zone, bornAt]);
      const { body } = await request().get('/births').query({ born_at: bornAt });
      expect(body.data).toMatchObject([{ born_at: bornAt }]);
    });
  }
});

test('A session that writes values so that some are lost stops the start', async () => {
  const message = (options: string) =>
    startApplication('express', 'postgresql', {
      ...within(options),
      endpoints: [new Get({ ...births, url: 'births/:id' })],
    }).then(
      () => 'it starts',
      (error: unknown) => (error as Error).message,
    );
  expect(await message('-c datestyle=German')).toBe(
    "MikroORM: DateStyle: the session has 'German, DMY', so that days and instants cannot be read: " +
      'alter role … set DateStyle = ISO, or alter database … set DateStyle = ISO',
  );
  expect(await message('-c extra_float_digits=0')).toBe(
    "MikroORM: extra_float_digits: the session has '0', so that numbers are rounded, and lists do not go on where their " +
      'cursors are: alter role … set extra_float_digits = 1, or alter database … set extra_float_digits = 1',
  );
});
