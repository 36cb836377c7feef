import { expect, test } from '@jest/globals';
import { Conflict, Create, SimpleSearch } from '@nest-endpoints/core';
import { PlainReply, TextReply, type KindContext, type DescribedKind } from '@nest-endpoints/core/kinds';
import { clientError, expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

/** A Create that refuses on a word of the client, and answers with a status code of its own. */
class WaryCreate<E extends object> extends Create<E> {
  override compile(context: KindContext): DescribedKind {
    const create = super.compile(context);
    return {
      ...create,
      handle: async (request) => {
        if (request.headers['x-mood'] === 'bad') throw new Conflict('Not today');
        const reply = await create.handle(request);
        return reply instanceof TextReply ? new TextReply(reply.data, reply.pagination, 203) : reply;
      },
      describe: () => {
        const description = create.describe();
        const statusCode = this.repliesPlainly ? 201 : 203;
        return { ...description, answer: { ...description.answer, statusCode } };
      },
    };
  }
}

/** A SimpleSearch whose pages are sealed: whatever it finds becomes a plain value. */
class SealedSearch<E extends object> extends SimpleSearch<E> {
  override readonly repliesPlainly = true;

  override compile(context: KindContext): DescribedKind {
    const search = super.compile(context);
    return {
      ...search,
      handle: async (request) => {
        const reply = await search.handle(request);
        if (!(reply instanceof TextReply)) return reply;
        return new PlainReply({ sealed_list: JSON.parse(reply.data) }, reply.pagination);
      },
      describe: () => {
        const { answer, ...description } = search.describe();
        if (answer.kind === 'raw') throw new TypeError('A list is in the envelope');
        const data = {
          type: 'object',
          properties: { sealed_list: answer.data },
          additionalProperties: false,
        };
        return { ...description, answer: { ...answer, data, name: 'SealedBooks' } };
      },
    };
  }
}

const { contract } = service(
  libraryWith([
    books({
      url: 'wary',
      createEndpoint: WaryCreate,
      listEndpoint: SealedSearch,
      inputValidationCallable: ({ requestData }) => (requestData['pages'] === 13 ? { pages: 'unlucky' } : {}),
      readableColumnNames: ['title'],
    }),
    books({ url: 'mapped', createEndpoint: WaryCreate, outputMap: ({ record }) => record.title }),
  ]),
);

contract('A subclass of Create may wrap what the kind does', async ({ request, count }) => {
  const answer = await request().post('/wary').send({ title: 'Emma' });
  expectAnswer(answer, 203, success({ title: 'Emma' }));
  expect(await count(Book)).toBe(1);
});

contract('A subclass may refuse before its kind does anything', async ({ request, count }) => {
  const answer = await request().post('/wary').set('X-Mood', 'bad').send({ title: 'Emma' });
  expectAnswer(answer, 409, clientError('Not today'));
  expect(await count(Book)).toBe(0);
});

contract('A subclass in a RestfulApi has the options of the RestfulApi', async ({ request }) => {
  const custom = await request().post('/wary').send({ title: 'Emma', pages: 13 });
  const own = await request().post('/wary').send({ title: 5 });
  expectAnswer(custom, 400, inputErrors({ pages: 'unlucky' }));
  expectAnswer(own, 400, inputErrors({ title: 'value should be a string' }));
});

contract('A subclass with output_map gets the envelope of its kind', async ({ request }) => {
  const { status, body } = await request().post('/mapped').send({ title: 'Emma' });
  expect([status, body.data]).toEqual([201, 'Emma']);
});

contract('The operations beside a replaced one stay as they are', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  expectAnswer(await request().get(`/wary/${id}`), 200, success({ title: 'Emma' }));
  expectAnswer(await request().put(`/wary/${id}`), 404, notFound);
});

contract('A subclass may turn the reply of its kind into a plain value', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  const answer = await request().get('/wary');
  const pagination = { number_results: 1, limit: 50, next_page: {} };
  expectAnswer(answer, 200, success({ sealed_list: [{ title: 'Emma' }] }, pagination));
});

test("A user's own kind that replaces one of a RestfulApi is named in start-up errors", async () => {
  const api = books({ url: 'wary', createEndpoint: WaryCreate, writeableColumnNames: ['titel' as 'title'] });
  expect(await startUpError(libraryWith([api]))).toMatch(/WaryCreate.*writeableColumnNames.*'titel'/s);
});
