import { expect, test } from '@jest/globals';
import { ForbiddenException } from '@nestjs/common';
import {
  BadRequest,
  ConfigurationError,
  Cors,
  EndpointGroup,
  Hsts,
  InvalidInput,
  NotFound,
  type EndpointOptions,
  type HttpMethod,
} from '@nest-endpoints/core';
import {
  EndpointKind,
  PlainReply,
  TextReply,
  type KindContext,
  type CompiledKind,
  type EndpointRequest,
  type Handler,
  type Reply,
} from '@nest-endpoints/core/kinds';
import { clientError, expectAnswer, failure, inputErrors, notFound, success } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author } from '../support/entities/library.js';

interface EchoOptions extends EndpointOptions {
  readonly reply: (request: EndpointRequest) => Reply | Promise<Reply>;
}

/** Replies what it is told. */
class Echo extends EndpointKind<EchoOptions> {
  protected override readonly defaultMethods: readonly HttpMethod[] = ['GET', 'PUT'];
  override readonly readsBody = true;

  override compile(): Handler {
    return async (request) => this.options.reply(request);
  }
}

/** A kind whose replies are plain values. */
class PlainEcho extends Echo {
  override readonly repliesPlainly = true;
}

/** Says more of itself than what it answers. */
class Tagged extends EndpointKind {
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;

  override compile(context: KindContext): CompiledKind {
    const isWritten = Reflect.set(context, 'owner', 'mine');
    return {
      handle: () => Promise.resolve(new TextReply(String(isWritten), undefined, 200, [['ETag', '"7"']])),
      reads: ['If-None-Match', 'X-Mood'],
      isConditional: true,
    };
  }
}

/** Counts the authors in the endpoint's own database. */
class AuthorCount extends EndpointKind {
  protected override readonly defaultMethods = ['GET'] as const;
  override readonly readsBody = false;

  override compile({ database, owner }: KindContext): Handler {
    if (this.options.description === undefined)
      throw new ConfigurationError(owner, 'description', 'say what is counted');
    return async () => new TextReply(String(await database.fork().count(Author)));
  }
}

const throwing = (url: string, error: unknown) =>
  new Echo({
    url,
    reply: () => {
      throw error;
    },
  });

const endpoints = [
  new AuthorCount({ url: 'authors/count', description: 'authors' }),
  new Echo({ url: 'text', reply: () => new TextReply('{"a_key":[1,null]}', undefined, 202) }),
  new Echo({ url: 'plain', reply: () => new PlainReply({ a_key: [1, null] }) }),
  new PlainEcho({ url: 'plain/declared', reply: () => new PlainReply({ a_key: [1, null] }, undefined, 203) }),
  new PlainEcho({ url: 'nothing', reply: () => new PlainReply(undefined) }),
  new PlainEcho({ url: 'cycle', reply: () => new PlainReply(10n) }),
  new PlainEcho({
    url: 'page',
    reply: () => new PlainReply([], { number_results: 7, limit: 2, next_page: { after: 'x' } }),
  }),
  new PlainEcho({
    url: 'seen/:word/{number}',
    reply: ({ method, routingData, queryParameters, body }) =>
      new PlainReply([method, { ...routingData }, Object.fromEntries(queryParameters), body.kind]),
  }),
  new EndpointGroup({
    url: 'titled',
    externalCasing: 'TitleCase',
    responseHeaders: ['X-Group: yes'],
    securityHeaders: [new Hsts()],
    endpoints: [
      new PlainEcho({
        url: 'plain',
        reply: () => new PlainReply({ a_key: 1 }, { limit: 2, next_page: { start: 2 } }),
      }),
      throwing('refused', new InvalidInput(new Map([['Name', 'odd']]))),
    ],
  }),
  new EndpointGroup({
    url: 'open',
    securityHeaders: [new Cors('https://a.example')],
    endpoints: [new Tagged({ url: 'tagged' })],
  }),
  throwing('missing', new NotFound()),
  throwing('bad', new BadRequest("'x' must be even")),
  throwing('invalid', new InvalidInput(new Map([['name', 'odd']]))),
  throwing('forbidden', new ForbiddenException('keep out')),
  throwing('broken', new Error('a secret')),
  throwing('odd', 'a secret'),
  new Echo({ url: 'posted', requestMethods: ['POST'], reply: () => new TextReply('[]') }),
];

const { contract } = service(libraryWith(endpoints));

contract("An endpoint of a user's own kind answers in the envelope", async ({ request, save }) => {
  await save(Author, { name: 'Jane Austen' });
  const answer = await request().get('/authors/count');
  expectAnswer(answer, 200, success(1));
  expect(answer.headers['content-type']).toBe('application/json; charset=UTF-8');
});

contract('A reply in text is the data of the envelope and sets the status code', async ({ request }) => {
  expectAnswer(await request().get('/text'), 202, success({ a_key: [1, null] }));
});

contract('A plain reply is the data of the envelope and sets the status code', async ({ request }) => {
  expectAnswer(await request().get('/plain/declared'), 203, success({ a_key: [1, null] }));
});

contract('A plain reply is in the envelope whether or not its kind announces it', async ({ request }) => {
  expectAnswer(await request().get('/plain'), 200, success({ a_key: [1, null] }));
});

contract('A plain reply may say what comes after a page', async ({ request }) => {
  const pagination = { number_results: 7, limit: 2, next_page: { after: 'x' } };
  expectAnswer(await request().get('/page'), 200, success([], pagination));
});

contract('A plain reply of nothing is null', async ({ request }) => {
  expectAnswer(await request().get('/nothing'), 200, success(null));
});

contract('A plain reply that JSON cannot say is a failure', async ({ request }) => {
  expectAnswer(await request().get('/cycle'), 500, failure('Internal Server Error'));
});

contract("A user's own kind sees method, path parameters, query and raw body", async ({ raw }) => {
  const { body } = await raw('PUT', '/seen/a%20b/%7B?c=d%20e', { body: '{' });
  expect(body).toEqual(success(['PUT', { word: 'a b', number: '{' }, { c: 'd e' }, 'bytes']));
});

contract("A user's own kind has methods of its own, which request_methods replaces", async ({ request }) => {
  const statuses = [
    (await request().put('/text')).status,
    (await request().post('/text')).status,
    (await request().post('/posted')).status,
    (await request().get('/posted')).status,
  ];
  expect(statuses).toEqual([202, 404, 200, 404]);
});

contract("A user's own kind has the casing and the headers of its group", async ({ request }) => {
  const { headers, body } = await request().get('/titled/plain');
  const pagination = { Limit: 2, NextPage: { Start: 2 } };
  expect(body).toEqual({
    Status: 'Success',
    Error: '',
    Data: { a_key: 1 },
    Pagination: pagination,
    InputErrors: {},
  });
  expect([headers['x-group'], headers['strict-transport-security']]).toEqual(['yes', 'max-age=31536000']);
});

contract("OPTIONS is answered for a user's own kind", async ({ request }) => {
  const { status } = await request().options('/titled/plain');
  expect(status).toBe(200);
});

contract("A user's own kind may say that clients have its answer already", async ({ request }) => {
  expect((await request().get('/open/tagged')).headers['etag']).toBe('"7"');
  const known = await request().get('/open/tagged').set('If-None-Match', '"7"');
  const other = await request().get('/open/tagged').set('If-None-Match', '"8"');
  expect([known.status, known.text, other.status]).toEqual([304, '', 200]);
});

contract("A user's own kind may say which headers of requests it reads", async ({ request }) => {
  const asked = 'X-Mood, X-Other';
  const { headers } = await request().options('/open/tagged').set('Access-Control-Request-Headers', asked);
  expect(headers['access-control-allow-headers']).toBe('X-Mood');
});

contract('Nothing can be written into what a kind is compiled with', async ({ request }) => {
  expectAnswer(await request().get('/open/tagged'), 200, success(false));
});

contract("A refusal that a user's own kind throws is answered in the envelope", async ({ request }) => {
  expectAnswer(await request().get('/missing'), 404, notFound);
  expectAnswer(await request().get('/bad'), 400, clientError("'x' must be even"));
  expectAnswer(await request().get('/invalid'), 400, inputErrors({ name: 'odd' }));
  const { body } = await request().get('/titled/refused');
  expect([body.Status, body.InputErrors]).toEqual(['InputErrors', { Name: 'odd' }]);
});

contract("Nest's exceptions from a user's own kind are answered in the envelope", async ({ request }) => {
  expectAnswer(await request().get('/forbidden'), 403, clientError('keep out'));
});

contract("Whatever else a user's own kind throws is a failure without details", async ({ request, log }) => {
  expectAnswer(await request().get('/broken'), 500, failure('Internal Server Error'));
  expectAnswer(await request().get('/odd'), 500, failure('Internal Server Error'));
  expect(log.text('error').match(/a secret/g)?.length).toBeGreaterThanOrEqual(2);
});

test("A mistake that a user's own kind finds while it is compiled stops the start", async () => {
  const message = await startUpError(libraryWith([new AuthorCount({ url: 'authors/count' })]));
  expect(message).toBe("AuthorCount 'authors/count': description: say what is counted");
});
