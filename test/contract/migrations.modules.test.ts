import { afterAll, expect } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/core';
import { AdditionalMigrations, Migrations, type MigrationsOptions } from '@nest-endpoints/migrations';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { success } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { Note, withoutPets } from './migrations.note.js';

const folder = await mkdtemp(join(tmpdir(), 'nest-endpoints-migrations-'));
await mkdir(join(folder, 'toys/old'), { recursive: true });
await writeFile(join(folder, 'pets.sql'), 'create table pet (id int primary key);');
await writeFile(join(folder, 'toys/2.sql'), '\ufeffcreate index toy_pet on toy (pet_id);');
await writeFile(join(folder, 'toys/old/1.sql'), 'create table toy (pet_id int references pet);');
await writeFile(join(folder, 'toys/readme.md'), 'no SQL');
await writeFile(join(folder, 'latin1.sql'), Buffer.from([0x2d, 0x2d, 0xe9]));
await writeFile(join(folder, 'wrong.sql'), 'create table pet (\n  id nope);');

@Injectable()
class PetMigrations extends AdditionalMigrations {
  override paths() {
    return [join(folder, 'pets.sql'), join(folder, 'missing.sql')];
  }
}

@Injectable()
class ToyMigrations extends AdditionalMigrations {
  override paths() {
    return [join(folder, 'toys')];
  }
}

@Module({ providers: [PetMigrations], exports: [PetMigrations] })
class PetModule {}

@Module({ imports: [PetModule], providers: [ToyMigrations] })
class ToyModule {}

const migrations = (url: string, options: MigrationsOptions) =>
  new Migrations({ unmanaged: ['public.note'], command: 'plan', ...options, url });
const all = { includeModuleMigrations: true } as const;

const { contract } = service(
  {
    entities: [Note],
    // Migrations need sessions of their own.
    route: 'direct',
    imports: [ToyModule],
    providers: [{ provide: 'cursor', useExisting: EntityManager }],
    endpoints: [
      migrations('all', all),
      migrations('some', { ...all, moduleMigrations: ['PetMigrations'] }),
      migrations('none', { sql: ['create table account (id int)'] }),
      migrations('both', { ...all, sql: [join(folder, 'pets.sql'), 'create table account (id int)'] }),
      migrations('wrong', { ...all, sql: [join(folder, 'wrong.sql')] }),
      migrations('latin1', { sql: [join(folder, 'latin1.sql')] }),
      migrations('injected', { sql: [join(folder, 'pets.sql')], cursorDependencyName: 'cursor' }),
    ],
  },
  once,
);

const made = (body: { data: string[] }) =>
  body.data.map((sql) => /"public"\."(\w+)"|INDEX (\w+)/.exec(sql)?.slice(1).join(''));

contract(
  'Migrations of imported modules are included when include_module_migrations says so',
  async (subject) => {
    await withoutPets(subject);
    const { body } = await subject.request().get('/all');
    expect(made(body)).toEqual(['pet', 'toy', 'toy', 'toy_pet']);
    expect(made((await subject.request().get('/none')).body)).toEqual(['account']);
  },
);

contract('module_migrations names the classes to include', async (subject) => {
  await withoutPets(subject);
  expect(made((await subject.request().get('/some')).body)).toEqual(['pet']);
});

contract('A path of a module that is also in sql counts once', async (subject) => {
  await withoutPets(subject);
  expect(made((await subject.request().get('/both')).body).toSorted()).toEqual([
    'account',
    'pet',
    'toy',
    'toy',
    'toy_pet',
  ]);
});

contract('An error in a file is told with file, line and column', async ({ request }) => {
  const { status, body } = await request().get('/wrong');
  expect([status, body.error.split('\n')]).toEqual([
    400,
    expect.arrayContaining([expect.stringMatching(/wrong\.sql:2:6: type "nope" does not exist$/)]),
  ]);
});

contract('A file that is not UTF-8 is refused', async ({ request }) => {
  const { status, body } = await request().get('/latin1');
  expect([status, body.error]).toEqual([
    400,
    expect.stringMatching(/latin1\.sql: the file is not valid UTF-8$/),
  ]);
});

contract('The cursor can be a provider', async (subject) => {
  await withoutPets(subject);
  const { body } = await subject.request().get('/injected');
  expect(body).toEqual(success([expect.stringContaining('CREATE TABLE "public"."pet"')]));
});

afterAll(() => rm(folder, { recursive: true, force: true }));
