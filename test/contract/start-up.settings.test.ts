import { expect, test } from '@jest/globals';
import { Create, CreateMany, EndpointsModule } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { stopped } from './stopped.js';

const errorWith = (root: object) => startUpError(libraryWith([books()], { root }));

test('A casing of forRoot that does not exist stops the start', async () => {
  const message = await errorWith({ externalCasing: 'kebab-case' });
  expect(message).toMatch(/externalCasing.*'kebab-case'.*snake_case.*camelCase.*TitleCase/s);
});

test('A casing of forRootAsync that does not exist stops the start', async () => {
  const root = { externalCasing: 'kebab-case' } as object;
  const { root: _root, ...options } = libraryWith([books()]);
  const imports = [EndpointsModule.forRootAsync({ useFactory: () => root })];
  expect(await startUpError({ ...options, imports })).toMatch(/externalCasing.*'kebab-case'/s);
});

test('An inputErrorsStatus that is no HTTP status stops the start', async () => {
  for (const inputErrorsStatus of [0, 42, 600, 422.5, NaN, '422'])
    expect(await errorWith({ inputErrorsStatus })).toContain('inputErrorsStatus');
});

test('An inputErrorsStatus of an answer without a body stops the start', async () => {
  for (const inputErrorsStatus of [204, 205, 304])
    expect(await errorWith({ inputErrorsStatus })).toContain(`inputErrorsStatus: ${inputErrorsStatus}`);
});

test('An inputErrorsStatus that asks for a token stops the start', async () => {
  expect(await errorWith({ inputErrorsStatus: 401 })).toContain('inputErrorsStatus: 401');
});

test('A bodyLimit that is no whole number of bytes stops the start', async () => {
  for (const bodyLimit of [-1, 1.5, NaN, '1mb'])
    expect(await errorWith({ bodyLimit })).toContain('bodyLimit');
});

test('An unknownPaths that does not exist stops the start', async () => {
  expect(await errorWith({ unknownPaths: 'none' })).toMatch(/unknownPaths.*'none'.*all.*own/s);
});

test('A time or a number of the service that is out of range stops the start', async () => {
  for (const option of ['drainTime', 'closingTime', 'maximumInFlight', 'maximumDelay'])
    for (const value of [-1, 0.5, NaN, Infinity, '10', 2 ** 31])
      expect(await errorWith({ [option]: value })).toContain(option);
});

test('An observer that cannot hear stops the start', async () => {
  for (const observers of [[{}], [null], {}, 'all'])
    expect(await errorWith({ observers })).toMatch(/observers.*requestEnded/s);
});

test("A response header of forRoot that is not 'key: value' stops the start", async () => {
  expect(await errorWith({ responseHeaders: ['no colon'] })).toMatch(/responseHeaders.*no colon/s);
});

test('A default_limit of forRoot above its maximum_limit stops the start', async () => {
  expect(await errorWith({ defaultLimit: 20, maximumLimit: 10 })).toMatch(/defaultLimit.*20/s);
});

test('A createStatus that is no HTTP status of a success stops the start', async () => {
  const titles = {
    modelClass: Book,
    readableColumnNames: ['title'],
    writeableColumnNames: ['title'],
  } as const;
  for (const createStatus of [0, 99, 404, 600, 201.5, NaN]) {
    const message = await stopped(() => new Create({ ...titles, url: 'books', createStatus }));
    expect(message).toMatch(/Create 'books'.*createStatus/s);
  }
});

test('A createStatus of an answer without a body stops the start', async () => {
  const options = {
    url: 'books',
    modelClass: Book,
    readableColumnNames: ['title'],
    writeableColumnNames: ['title'],
  } as const;
  for (const createStatus of [204, 205]) {
    const one = await stopped(() => new Create({ ...options, createStatus }));
    const many = await stopped(() => new CreateMany({ ...options, createStatus }));
    expect([one, many]).toEqual([
      expect.stringContaining('createStatus'),
      expect.stringContaining('createStatus'),
    ]);
  }
});
