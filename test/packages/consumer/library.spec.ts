import { MikroORM } from '@mikro-orm/core';
import { Test } from '@nestjs/testing';
import { LibraryModule } from './library.module.js';

// Of Jest and of Vitest alike.
declare function test(sentence: string, act: () => Promise<void>, timeout: number): void;
declare function expect(actual: unknown): { toEqual(expected: unknown): void };

test('A book that was created is there', async () => {
  const module = await Test.createTestingModule({ imports: [LibraryModule] }).compile();
  const app = module.createNestApplication();
  await app.get(MikroORM).schema.create();
  await app.listen(0, '127.0.0.1');
  const url = `${await app.getUrl()}/books`;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ title: 'Invisible Cities' });
  expect((await fetch(url, { method: 'POST', headers, body })).status).toEqual(201);
  const { data } = (await (await fetch(`${url}/1`)).json()) as { data: unknown };
  expect(data).toEqual({ id: 1, title: 'Invisible Cities', page_count: null });
  await app.close();
}, 180_000);
