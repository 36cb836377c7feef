import { expect } from '@jest/globals';
import { Answers, Callable, EndpointGroup, PlainAnswers, StandardAnswers } from '@nest-endpoints/core';
import type { AnswerFormat, AnswerPlace, RefusalFacts } from '@nest-endpoints/core/kinds';
import { failure, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const made: string[] = [];

/** Writes an envelope of its own: `result`, and `meta` of pages. */
class ResultAnswers extends Answers {
  override format({ casing, word }: AnswerPlace): AnswerFormat {
    made.push(casing);
    return {
      contentType: 'application/vnd.result+json',
      refusalType: 'application/vnd.fault+json; charset=UTF-8',
      success: (data, page) => {
        const meta = page === undefined ? '' : `,"${word('number_results')}":${String(page.number_results)}`;
        return `{"result":${data}${meta}}`;
      },
      refusal: ({ statusCode, message, inputErrors }) =>
        JSON.stringify({ fault: message, statusCode, fields: [...inputErrors.keys()] }),
    };
  }
}

/** Fails wherever it can. */
class BrokenAnswers extends Answers {
  override format(): AnswerFormat {
    return {
      contentType: 'application/json',
      refusalType: 'application/json',
      success: () => {
        throw new Error('a secret');
      },
      refusal: ({ status }: RefusalFacts) => {
        throw new Error(`a secret of ${status}`);
      },
    };
  }
}

const shown = { readableColumnNames: ['title', 'inPrint'] } as const;

const { contract } = service(
  libraryWith([
    books({ ...shown, answers: new ResultAnswers(), externalCasing: 'camelCase' }),
    new EndpointGroup({
      url: 'broken',
      answers: new BrokenAnswers(),
      endpoints: [new Callable({ url: 'data', toCall: () => 5 })],
    }),
  ]),
);

contract('Answers of your own write everything that an endpoint says', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  const { text, headers } = await request().get('/books');
  expect(text).toBe('{"result":[{"title":"Emma","inPrint":true}],"numberResults":1}');
  expect(headers['content-type']).toMatch(/^application\/vnd\.result\+json(; charset=utf-8)?$/);
  const refused = await request().post('/books').send({ title: '', pages: 'x' });
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    400,
    { fault: '', statusCode: 400, fields: ['title', 'pages'] },
  ]);
  expect(refused.headers['content-type']).toBe('application/vnd.fault+json; charset=UTF-8');
  expect(JSON.parse((await request().get('/books/nowhere/else')).text)).toEqual({
    fault: 'Not Found',
    statusCode: 404,
    fields: [],
  });
});

contract('A format is made when the application starts, and with no request', async ({ request }) => {
  const before = made.length;
  expect(made).toContain('camelCase');
  for (const path of ['/books', '/books/nowhere']) await request().get(path);
  // The recorder's document may make one more.
  await request().get('/books');
  const after = made.length;
  for (const path of ['/books', '/books/nowhere']) await request().get(path);
  expect(made.length).toBe(after);
  expect(after - before).toBeLessThanOrEqual(1);
});

contract(
  'Answers that cannot be written are a 500 in the standard envelope, and logged',
  async ({ request, log }) => {
    const { status, body } = await request().get('/broken/data');
    expect({ status, body }).toEqual({ status: 500, body: failure('Internal Server Error') });
    expect(log.text('error')).toContain('a secret');
  },
);

const status = service(
  libraryWith([books({ ...shown, answers: new PlainAnswers() })], { root: { inputErrorsStatus: 422 } }),
);

status.contract('inputErrorsStatus is the status of plain input errors, too', async ({ request }) => {
  const { status: code, body } = await request().post('/books').send({});
  expect([code, body]).toEqual([
    422,
    {
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      errors: { '/title': "'title' is required." },
    },
  ]);
});

const standard = service(
  libraryWith([books({ ...shown, answers: new StandardAnswers() })], { root: { inputErrorsStatus: 200 } }),
);

standard.contract(
  'The standard envelope tells input errors from a success whatever the status',
  async (subject) => {
    const { request, save } = subject;
    const { status: code, body } = await request().post('/books').send({});
    expect([code, body.status]).toEqual([200, 'input_errors']);
    await save(Book, { title: 'Emma' });
    const page = { number_results: 1, limit: 50, next_page: {} };
    expect((await request().get('/books')).body).toEqual(success([{ title: 'Emma', in_print: true }], page));
  },
);
