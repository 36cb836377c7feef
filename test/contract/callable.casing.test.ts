import { expect } from '@jest/globals';
import { Callable, EndpointGroup, type Casing } from '@nest-endpoints/core';
import { z } from 'zod';
import { service } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';

const plain = { inPrint: true, list_price: [{ netPrice: 1 }], AsIs: { 'and so on': null } };
const casings = ['snake_case', 'camelCase', 'TitleCase'] as const satisfies readonly Casing[];

const writeable = { modelClass: Book, writeableColumnNames: ['title', 'inPrint', 'authorId'] } as const;
const echo = { requestMethods: ['POST'] } as const;

const { contract } = service({
  entities: library,
  endpoints: casings.map(
    (externalCasing) =>
      new EndpointGroup({
        url: externalCasing,
        externalCasing,
        endpoints: [
          new Callable({ url: 'plain', toCall: () => plain }),
          new Callable({ url: 'list', toCall: () => [plain, 'in_print'] }),
          new Callable({
            url: 'beside',
            modelClass: Book,
            readableColumnNames: ['inPrint'],
            outputSchema: { type: 'object' },
            toCall: () => plain,
          }),
          new Callable({ url: 'raw', returnStandardResponse: false, toCall: () => plain }),
          new Callable({ ...echo, url: 'any', toCall: ({ requestData }) => requestData }),
          new Callable({
            ...echo,
            url: 'shaped',
            inputSchema: z.looseObject({}),
            toCall: ({ requestData }) => requestData,
          }),
          new Callable({ ...echo, ...writeable, url: 'columns', toCall: ({ requestData }) => requestData }),
        ],
      }),
  ),
});

const dataOf = (body: Readonly<Record<string, unknown>>): unknown => body['data'] ?? body['Data'];

contract('Keys of plain data that a Callable gives are not cased', async ({ request }) => {
  for (const casing of casings) {
    for (const path of ['plain', 'beside']) {
      const { status, body } = await request().get(`/${casing}/${path}`);
      expect([casing, status, dataOf(body)]).toEqual([casing, 200, plain]);
    }
    expect(dataOf((await request().get(`/${casing}/list`)).body)).toEqual([plain, 'in_print']);
    expect((await request().get(`/${casing}/raw`)).body).toEqual(plain);
  }
});

contract(
  'Without writeable columns the request_data of a Callable has the names of the client',
  async (subject) => {
    for (const casing of casings)
      for (const path of ['any', 'shaped']) {
        const { status, body } = await subject.request().post(`/${casing}/${path}`).send(plain);
        expect([casing, path, status, dataOf(body)]).toEqual([casing, path, 200, plain]);
      }
  },
);

contract('With writeable columns the request_data of a Callable has internal names', async ({ request }) => {
  const bodies = {
    snake_case: { title: 'Emma', in_print: true },
    camelCase: { title: 'Emma', inPrint: true },
    TitleCase: { Title: 'Emma', InPrint: true },
  };
  for (const casing of casings) {
    const { status, body } = await request().post(`/${casing}/columns`).send(bodies[casing]);
    expect([casing, status, dataOf(body)]).toEqual([casing, 200, { title: 'Emma', inPrint: true }]);
  }
  expect((await request().post('/TitleCase/columns').send(bodies.camelCase)).status).toBe(400);
});
