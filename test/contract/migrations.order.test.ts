import { afterAll, beforeAll, expect } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { MikroORM } from '@mikro-orm/core';
import { AdditionalMigrations, Migrations, type MigrationsOptions } from '@nest-endpoints/migrations';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { success } from '../support/answers.js';
import { connectionOf } from '../support/catalogue.js';
import { once, service } from '../support/contract.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';
import { Note, pets, withoutPets } from './migrations.note.js';

const folder = await mkdtemp(join(tmpdir(), 'nest-endpoints-migrations-order-'));

/** A file that makes a function which tells that this file was the last of its kind to be read. */
const telling = async (name: string): Promise<string> => {
  const path = join(folder, `${name}.sql`);
  const body = `create or replace function last_read() returns text language sql as $$select '${name}'$$;`;
  await writeFile(path, body);
  return path;
};
const [outer, inner, next, own] = [
  await telling('outer'),
  await telling('inner'),
  await telling('next'),
  await telling('own'),
];

const bringing = (...paths: readonly string[]) => {
  @Injectable()
  class Brought extends AdditionalMigrations {
    override paths() {
      return paths;
    }
  }
  return Brought;
};

class InnerMigrations extends bringing(inner) {}
class OuterMigrations extends bringing(outer) {}
class NextMigrations extends bringing(next) {}

@Module({ providers: [InnerMigrations] })
class InnerModule {}

@Module({ imports: [InnerModule], providers: [OuterMigrations] })
class OuterModule {}

@Module({ providers: [NextMigrations] })
class NextModule {}

const elsewhere: MigratedDatabase = await migratedDatabase('postgresql');
beforeAll(() => elsewhere.run(pets));
afterAll(async () => {
  await elsewhere.close();
  await rm(folder, { recursive: true, force: true });
});

const migrations = (url: string, options: MigrationsOptions) =>
  new Migrations({ unmanaged: ['public.note'], command: 'plan', ...options, url });
const all = { includeModuleMigrations: true } as const;
const apart = { cursor: elsewhere.orm as MikroORM, sql: [pets] };

const { contract } = service(
  {
    entities: [Note],
    // Migrations need sessions of their own.
    route: 'direct',
    imports: [OuterModule, NextModule],
    providers: [{ provide: 'cursor', useExisting: MikroORM }],
    endpoints: [
      migrations('modules', { ...all, moduleMigrations: ['NextMigrations', 'OuterMigrations'] }),
      migrations('some', { ...all, moduleMigrations: ['InnerMigrations', 'OuterMigrations'] }),
      migrations('own', { ...all, sql: [own] }),
      migrations('both', { ...all, sql: [own, outer] }),
      migrations('twice', { ...all, sql: [inner, own, outer, own, inner] }),
      migrations('application', { sql: [pets] }),
      migrations('cursor', apart),
      migrations('cursors', { ...apart, cursorDependencyName: 'cursor' }),
      migrations('provider', { sql: [pets], cursorDependencyName: 'cursor' }),
    ],
  },
  once,
);

/** Which of the files was read last. */
const lastOf = (body: { readonly data: readonly string[] }): string | undefined =>
  body.data.map((sql) => /last_read.*select '(\w+)'/s.exec(sql)?.[1]).find((name) => name !== undefined);

contract(
  'SQL of modules comes in the order in which Nest finds the modules, before the entries of sql',
  async ({ request }) => {
    const last = async (url: string) => lastOf((await request().get(url)).body);
    expect(await last('/modules')).toBe('next');
    expect(await last('/some')).toBe('inner');
    expect(await last('/own')).toBe('own');
  },
);

contract('A path of a module that is also in sql counts where sql names it', async ({ request }) => {
  const last = async (url: string) => lastOf((await request().get(url)).body);
  expect(await last('/both')).toBe('outer');
  expect(await last('/twice')).toBe('inner');
});

contract('A cursor goes before the provider that cursor_dependency_name names', async (subject) => {
  await withoutPets(subject);
  const makesPets = success([expect.stringContaining('CREATE TABLE "public"."pet"')]);
  for (const [url, expected] of [
    ['/application', makesPets],
    ['/provider', makesPets],
    ['/cursor', success([])],
    ['/cursors', success([])],
  ] as const)
    expect([url, (await subject.request().get(url)).body]).toEqual([url, expected]);
  await connectionOf(elsewhere.orm as MikroORM).execute('drop table pet');
  expect((await subject.request().get('/cursors')).body).toEqual(makesPets);
});
