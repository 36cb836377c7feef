import { expect } from '@jest/globals';
import { Callable, type EndpointOrGroup, type InputSchemaSource } from '@nest-endpoints/core';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString } from 'class-validator';
import { z } from 'zod';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';

class Asked {
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];

  @IsOptional()
  @Type(() => Number)
  @IsInt({ each: true })
  pages?: number[];

  @IsOptional()
  @IsString()
  word?: string;

  @IsOptional()
  @IsInt()
  page?: number;
}

const asked = z.object({
  tags: z.array(z.string()).max(2, 'at most 2').optional(),
  nullable: z.array(z.coerce.number()).nullable().optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  flat: z.preprocess((value) => [value].flat(), z.array(z.string())).optional(),
  word: z.string().optional(),
});

/** A schema that does not tell itself as JSON Schema. */
const silent: InputSchemaSource = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value) => {
      const { tags, word } = value as { readonly tags?: unknown; readonly word?: unknown };
      if (tags !== undefined && !Array.isArray(tags))
        return { issues: [{ message: 'must be a list', path: ['tags'] }] };
      if (word !== undefined && typeof word !== 'string')
        return { issues: [{ message: 'must be a text', path: ['word'] }] };
      return { value };
    },
  },
};

const given = ({ queryParameters }: { queryParameters: unknown }): unknown => queryParameters;
const forced = { modelClass: Book, transformInputTypes: true } as const;

const endpoints: EndpointOrGroup[] = [
  new Callable({ url: 'plain', toCall: given }),
  new Callable({ url: 'deaf', toCall: () => 'deaf' }),
  new Callable({ url: 'zod', querySchema: asked, toCall: given }),
  new Callable({ url: 'class', querySchema: Asked, toCall: given }),
  new Callable({ url: 'silent', querySchema: silent, toCall: given }),
  new Callable({
    url: 'paged',
    returnRecords: true,
    modelClass: Book,
    readableColumnNames: ['title'],
    toCall: ({ em }) => em.createQueryBuilder(Book).orderBy({ title: 'asc' }),
  }),
  new Callable({
    ...forced,
    url: 'forced',
    requestMethods: ['GET', 'POST'],
    toCall: ({ queryParameters, requestData }) => ({ queryParameters, requestData }),
  }),
  new Callable({
    ...forced,
    url: 'forced/by-schema',
    requestMethods: ['GET', 'POST'],
    querySchema: z.object({ pages: z.number().optional() }),
    inputSchema: z.object({ pages: z.number('no number'), other: z.string().optional() }),
    toCall: ({ queryParameters, requestData }) => ({ queryParameters, requestData }),
  }),
  new Callable({
    ...forced,
    url: 'forced/cased',
    externalCasing: 'TitleCase',
    toCall: given,
  }),
  new Callable({
    modelClass: Book,
    url: 'unforced',
    toCall: given,
  }),
];

const { contract } = service({ entities: library, endpoints });

contract('A Callable sees the last value of a repeated query key', async ({ request }) => {
  expectAnswer(await request().get('/plain?a=1&b=2&a=3'), 200, success({ a: '3', b: '2' }));
  expectAnswer(await request().get('/deaf?a=1&a=3'), 200, success('deaf'));
  expect((await request().get('/paged?limit=7&limit=2')).body).toMatchObject({ pagination: { limit: 2 } });
  expectAnswer(
    await request().get('/plain?a=%zz'),
    400,
    clientError('The query string is not valid percent-encoded UTF-8'),
  );
});

contract('A querySchema that says array gets all values of a key, and one as a list', async ({ request }) => {
  const both = { tags: ['a', 'b'], word: 'y' };
  const query = 'tags=a&tags=b&word=x&word=y';
  for (const path of ['zod', 'class', 'silent'])
    expectAnswer(await request().get(`/${path}?${query}`), 200, success(both));
  for (const path of ['zod', 'class', 'silent'])
    expectAnswer(await request().get(`/${path}?tags=a`), 200, success({ tags: ['a'] }));
  expectAnswer(await request().get('/class?pages=1&pages=2'), 200, success({ pages: [1, 2] }));
  expectAnswer(
    await request().get('/zod?nullable=1&either=a&flat=a&flat=b'),
    200,
    success({ nullable: [1], either: 'a', flat: ['a', 'b'] }),
  );
  expectAnswer(await request().get('/zod?either=a&either=b'), 200, success({ either: ['a', 'b'] }));
  expectAnswer(await request().get('/zod?tags=a&tags=b&tags=c'), 400, inputErrors({ tags: 'at most 2' }));
});

contract('Query parameters of a Callable are forced to the types of their columns', async ({ request }) => {
  expectAnswer(
    await request().get('/forced?pages=25&in_print=true&title=7&other=8'),
    200,
    success({ queryParameters: { pages: 25, in_print: true, title: '7', other: '8' }, requestData: null }),
  );
  expect((await request().get('/forced/cased?Pages=3&pages=4')).body).toMatchObject({
    Data: { Pages: 3, pages: '4' },
  });
  expectAnswer(await request().get('/unforced?pages=x'), 200, success({ pages: 'x' }));
});

contract('A query parameter that cannot be forced is an input error', async ({ request }) => {
  expectAnswer(
    await request().get('/forced?pages=x&in_print=yes'),
    400,
    inputErrors({ pages: 'value should be an integer', in_print: 'value should be a boolean' }),
  );
});

contract('The body of a Callable without writeableColumnNames is forced, too', async ({ request }) => {
  expectAnswer(
    await request()
      .post('/forced')
      .send({ pages: '25', in_print: 'false', title: 7, deep: { pages: '1' } }),
    200,
    success({
      queryParameters: {},
      requestData: { pages: 25, in_print: false, title: 7, deep: { pages: '1' } },
    }),
  );
  expectAnswer(
    await request().post('/forced').send({ pages: 'x', in_print: null }),
    400,
    inputErrors({ pages: 'value should be an integer' }),
  );
  expectAnswer(
    await request().post('/forced/by-schema?pages=3').send({ pages: '25', other: '1' }),
    200,
    success({ queryParameters: { pages: 3 }, requestData: { pages: 25, other: '1' } }),
  );
  expectAnswer(
    await request().post('/forced/by-schema').send({ pages: 'x' }),
    400,
    inputErrors({ pages: 'no number' }),
  );
});

contract(
  'A class makes numbers of the texts of a query by the types of its properties',
  async ({ request }) => {
    expectAnswer(await request().get('/class?page=7'), 200, success({ page: 7 }));
    expect((await request().get('/class?page=seven')).status).toBe(400);
  },
);
