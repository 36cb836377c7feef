import { expect } from '@jest/globals';
import { defineEntity, p, raw } from '@mikro-orm/core';
import { Callable, EndpointGroup, PlainAnswers } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { IsIn, IsOptional } from 'class-validator';
import { z } from 'zod';
import { clientError, expectAnswer } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { operationAt, type Operation, type Part } from '../support/documents.js';

const Seat = defineEntity({
  name: 'Seat',
  properties: { id: p.integer().primary(), course: p.string(), taken: p.boolean() },
});

class SeatQuery {
  @IsOptional()
  @IsIn(['true', 'false'])
  taken?: string;
}

const shown = { modelClass: Seat, readableColumnNames: ['id', 'course'], returnRecords: true } as const;
const strict = z.strictObject({ course: z.string().optional() });

/** All seats, those with the least numbers first. */
const toCall = ({ em }: { readonly em: { createQueryBuilder(entity: typeof Seat): unknown } }): unknown => {
  const query = em.createQueryBuilder(Seat) as { orderBy(order: object): unknown };
  return query.orderBy({ id: 'asc' });
};
const strictSeats = (url: string) =>
  new Callable({ ...shown, url, querySchema: strict, defaultLimit: 2, toCall });

const { contract } = service(
  {
    entities: [Seat],
    endpoints: [
      strictSeats('seats'),
      new Callable({ ...shown, url: 'dto', querySchema: SeatQuery, defaultLimit: 2, toCall }),
      new EndpointGroup({ url: 'titled', externalCasing: 'TitleCase', endpoints: [strictSeats('seats')] }),
      new EndpointGroup({ url: 'plain', answers: new PlainAnswers(), endpoints: [strictSeats('seats')] }),
      new Callable({
        ...shown,
        url: 'own',
        querySchema: z.strictObject({ limit: z.enum(['2', '4']).default('2') }),
        toCall: ({ em, queryParameters: { limit } }) =>
          em.createQueryBuilder(Seat).orderBy({ id: 'asc' }).limit(Number(limit)),
      }),
      new Callable({ ...shown, url: 'free', toCall }),
      new Callable({
        ...shown,
        url: 'listed',
        querySchema: strict,
        toCall: ({ em }) => em.find(Seat, { taken: true }),
      }),
      new Callable({
        ...shown,
        returnRecords: false,
        url: 'one',
        querySchema: strict,
        toCall: ({ em }) => em.findOne(Seat, 1),
      }),
      new Callable({
        url: 'courses/taken',
        modelClass: Seat,
        returnRecords: true,
        outputSchema: z.object({ course: z.string(), seats: z.number() }),
        toCall: async ({ scoped }) => {
          const { query } = await scoped(Seat);
          return query('s')
            .select(['s.course', raw('cast(count(*) as integer) as seats')])
            .where({ taken: true })
            .groupBy('s.course')
            .orderBy({ course: 'asc' })
            .execute();
        },
      }),
    ],
  },
  everyDatabase,
);

const fill = async ({ save }: Subject): Promise<void> => {
  for (let id = 1; id <= 5; id += 1)
    await save(Seat, { id, course: id > 3 ? 'Sailing' : 'Rowing', taken: id !== 2 });
};

contract(
  'What next_page says is taken by the endpoint that said it, however strict its querySchema is',
  async (subject) => {
    await fill(subject);
    const { request } = subject;
    for (const path of ['/seats', '/dto']) {
      const ids: number[] = [];
      let next: Record<string, unknown> | undefined = {};
      while (next !== undefined) {
        const asked = new URLSearchParams(next as Record<string, string>).toString();
        const { status, body } = await request().get(`${path}?${asked}`);
        expect(status).toBe(200);
        ids.push(...(body.data as { id: number }[]).map(({ id }) => id));
        const { next_page: after } = body.pagination as { next_page: Record<string, unknown> };
        next = Object.keys(after).length === 0 ? undefined : after;
      }
      expect([path, ids]).toEqual([path, [1, 2, 3, 4, 5]]);
      expect((await request().get(`${path}?limit=1`)).body.data).toHaveLength(1);
      expectAnswer(
        await request().get(`${path}?limit=0`),
        400,
        clientError("'limit' must be between 1 and 200"),
      );
    }
    const unknown = await request().get('/seats?limit=1&page=2');
    expect(unknown.status).toBe(400);
    const { headers } = await request().get('/plain/seats?start=2');
    expect(headers['link']).toContain('/plain/seats?start=4>; rel="next"');
  },
);

contract('The words of a page are taken in both casings, as lists take them', async (subject) => {
  await fill(subject);
  for (const query of ['Limit=1&Start=4', 'limit=1&start=4']) {
    const { status, body } = await subject.request().get(`/titled/seats?${query}`);
    expect([query, status, body.Data]).toEqual([query, 200, [{ Id: 5, Course: 'Sailing' }]]);
  }
});

contract('A word that the schema itself declares is its own', async (subject) => {
  await fill(subject);
  const { request } = subject;
  const sizes = async (path: string): Promise<unknown> =>
    ((await request().get(path)).body.data as []).length;
  expect([await sizes('/own'), await sizes('/own?limit=4'), await sizes('/own?start=4')]).toEqual([2, 4, 1]);
  const refused = await request().get('/own?limit=3');
  expect([refused.status, Object.keys(refused.body.input_errors as object)]).toEqual([400, ['limit']]);
});

contract('An endpoint that answers no records takes no words of a page', async (subject) => {
  await fill(subject);
  const { status, body } = await subject.request().get('/one?limit=1');
  expect([status, body]).toEqual([400, clientError('Unrecognized key: "limit"')]);
});

contract('Without a page there is no pagination', async (subject) => {
  await fill(subject);
  const { body } = await subject.request().get('/listed?limit=1');
  expect([(body.data as []).length, body.pagination]).toEqual([4, {}]);
});

contract('An aggregate over what the request may see is a query with raw and groupBy', async (subject) => {
  await fill(subject);
  const { body } = await subject.request().get('/courses/taken');
  expect(body.data).toEqual([
    { course: 'Rowing', seats: 2 },
    { course: 'Sailing', seats: 2 },
  ]);
});

const parametersOf = ({ parameters }: Operation): readonly string[] => parameters.map(({ name }) => name);
const paginationOf = ({ responses }: Operation, name = 'pagination'): unknown =>
  (responses['200'] as Part).content['application/json'].schema.properties[name];

contract('Documents say how such an endpoint is paged', ({ app }) => {
  const document = openApiDocument(app);
  const at = (path: string): Operation => operationAt(document, 'get', path);
  expect(parametersOf(at('/seats'))).toEqual(['course', 'limit', 'start']);
  expect(parametersOf(at('/titled/seats'))).toEqual(['course', 'Limit', 'Start']);
  expect(parametersOf(at('/own'))).toEqual(['limit', 'start']);
  expect(parametersOf(at('/free'))).toEqual(['limit', 'start', 'parameters']);
  expect(parametersOf(at('/one'))).toEqual(['course']);
  const [, limit] = at('/seats').parameters;
  expect(limit?.schema).toEqual({ type: 'integer', minimum: 1 });
  expect(paginationOf(at('/seats'))).toEqual({
    type: 'object',
    properties: {
      number_results: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 0 },
      next_page: {
        type: 'object',
        description: 'What to send for the next page; empty on the last one.',
        properties: { start: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  });
  expect(paginationOf(at('/one'))).toEqual({ type: 'object' });
});
