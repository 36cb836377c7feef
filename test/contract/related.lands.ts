import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';

/** A record whose key is a text, of which a collation takes several for one. */
const Land = defineEntity({
  name: 'Land',
  properties: {
    code: p.string().length(10).primary(),
    towns: () => p.oneToMany(Town).mappedBy('land'),
    guilds: () => p.manyToMany(Guild).createForeignKeyConstraint(false),
  },
});

const Town = defineEntity({
  name: 'Town',
  properties: {
    id: p.integer().primary(),
    name: p.string(),
    land: () => p.manyToOne(Land).createForeignKeyConstraint(false),
  },
});

const Guild = defineEntity({
  name: 'Guild',
  properties: { id: p.integer().primary(), name: p.string() },
});

export const lands: ApplicationOptions = {
  entities: [Land, Town, Guild],
  endpoints: [
    new RestfulApi({
      url: 'lands',
      modelClass: Land,
      readableColumnNames: ['code', 'towns.name', 'guildIds', 'guilds.name'],
      writeableColumnNames: ['code'],
      sortableColumnNames: ['code'],
      searchableColumnNames: ['towns.name'],
      defaultSortColumnName: 'code',
    }),
  ],
};

/** The columns that hold a land's key. */
export const landKeys = { land: 'code', town: 'land_code', land_guilds: 'land_code' } as const;

/** Stores towns and guilds that spell the keys of their lands in several ways, and expects that each land shows its own. */
export const expectOwnRelated = async ({ em, request }: Subject): Promise<void> => {
  const connection = em().getConnection();
  for (const statement of [
    "insert into land (code) values ('FR'), ('de')",
    "insert into town (id, name, land_code) values (1, 'Paris', 'fr'), (2, 'Lyon', 'FR'), (3, 'Bonn', 'DE')",
    "insert into guild (id, name) values (1, 'bakers'), (2, 'smiths')",
    "insert into land_guilds (land_code, guild_id) values ('fr', 1), ('FR', 2), ('De', 2)",
  ])
    await connection.execute(statement);
  const named = (...names: readonly string[]) => names.map((name) => ({ name }));
  const [germany, france] = [
    { code: 'de', towns: named('Bonn'), guild_ids: [2], guilds: named('smiths') },
    { code: 'FR', towns: named('Paris', 'Lyon'), guild_ids: [1, 2], guilds: named('bakers', 'smiths') },
  ];
  const all = await request().get('/lands');
  expect([all.status, all.body.data]).toEqual([200, [germany, france]]);
  expect((await request().get('/lands?towns.name=Paris')).body.data).toEqual([france]);
  expect((await request().get('/lands/FR')).body.data).toEqual(france);
};
