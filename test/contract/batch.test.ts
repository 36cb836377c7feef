import { expect } from '@jest/globals';
import { clientError, expectAnswer, failure, inputErrors, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { batch, get, harbour, heard, Port, post, Stop, Voyage, type Sent } from './batch.voyages.js';

const { contract } = service(harbour);

const taken = (name: string): string =>
  `Invalid value for '${name}': the given value already exists, and must be unique.`;

contract('A Batch answers its operations by position, with what each of them answers', async (subject) => {
  const answer = await batch(
    subject,
    post('voyages', { title: 'Nice' }, { as: 'voyage' }),
    post('stops', { place: 'Menton' }, { with: { voyage_id: 'voyage.id' } }),
    {
      method: 'PATCH',
      path: '/harbour/voyages/{voyage.id}',
      headers: { 'If-Match': '"1"' },
      body: { miles: 7 },
    },
    get('voyages/{voyage.id}'),
    get('stops?voyage_id={voyage.id}&limit=1'),
    { method: 'DELETE', path: '/harbour/stops/1' },
  );
  const voyage = { id: 1, title: 'Nice', miles: 7 };
  const stop = { id: 1, place: 'Menton', voyage_id: 1, voyage: { title: 'Nice' } };
  expectAnswer(
    answer,
    200,
    success([
      { status_code: 201, data: { ...voyage, miles: 0 }, pagination: {}, entity_tag: '"1"' },
      { status_code: 201, data: stop, pagination: {} },
      { status_code: 200, data: voyage, pagination: {}, entity_tag: '"2"' },
      { status_code: 200, data: voyage, pagination: {}, entity_tag: '"2"' },
      { status_code: 200, data: [stop], pagination: { number_results: 1, limit: 1, next_page: {} } },
      { status_code: 200, data: {}, pagination: {} },
    ]),
  );
  expect([await subject.count(Voyage), await subject.count(Stop)]).toEqual([1, 0]);
});

contract(
  'The first operation that does not succeed undoes all, and gives status and place',
  async (subject) => {
    const first = post('voyages', { title: 'Nice' }, { as: 'first' });
    const refused = [
      [get('voyages/99'), 404, clientError('operations.1: Not Found')],
      [get('nowhere'), 404, clientError('operations.1: Not Found')],
      [
        post('voyages', { miles: 1 }),
        400,
        inputErrors({ 'operations.1.body.title': "'title' is required." }),
      ],
      [post('voyages', { title: 'Nice' }), 400, inputErrors({ 'operations.1.body.title': taken('title') })],
      [get('voyages?miles=many'), 400, inputErrors({ 'operations.1.miles': 'value should be an integer' })],
      [
        post('stops', { place: 'x', voyage_id: 999 }),
        400,
        inputErrors({ 'operations.1.body.voyage_id': 'the given record does not exist' }),
      ],
      [post('voyages', undefined), 400, clientError('operations.1: A JSON body is required')],
      [
        {
          method: 'PATCH',
          path: '/harbour/voyages/{first.id}',
          headers: { 'if-match': '"9"' },
          body: { miles: 1 },
        },
        412,
        clientError('operations.1: Precondition Failed'),
      ],
      [post('flushed', {}), 500, failure('operations.1: Internal Server Error')],
    ] as const;
    for (const [operation, status, body] of refused) {
      expectAnswer(
        await batch(subject, first, operation, post('ports', { code: 'X', name: 'X' })),
        status,
        body,
      );
      expect([await subject.count(Voyage), await subject.count(Port)]).toEqual([0, 0]);
    }
  },
);

contract('What the database alone refuses is told by column, and undone', async (subject) => {
  const { id } = await subject.save(Voyage, { title: 'taken' });
  const answer = await batch(subject, post('voyages', { title: 'new' }), {
    method: 'PATCH',
    path: `/harbour/voyages/${id}`,
    body: { title: 'new' },
  });
  expectAnswer(answer, 400, inputErrors({ 'operations.1.body.title': taken('title') }));
  expect(await subject.count(Voyage)).toBe(1);
  expect((await batch(subject, post('voyages', { title: 'new' }))).status).toBe(200);
});

contract('Operations see what came before, and functions of endpoints take part', async (subject) => {
  const { body } = await batch(
    subject,
    post('voyages', { title: 'a' }, { as: 'a' }),
    post('stops', { place: 'x' }, { with: { voyage_id: 'a.id' } }),
    get('counted'),
  );
  expect(body.data[2].data).toEqual({ voyages: 1, stops: 1 });
});

contract('Hooks run as operations do, and everything after the commit once all are kept', async (subject) => {
  heard.length = 0;
  await batch(subject, post('watched', { title: 'a' }), post('watched', { title: 'b' }));
  expect(heard).toEqual(['saved a', 'saved b', 'committed a', 'committed b']);
  heard.length = 0;
  await batch(subject, post('watched', { title: 'c' }), get('voyages/99'));
  expect(heard).toEqual(['saved c']);
});

contract('A value of an answer is percent-encoded in a path', async (subject) => {
  for (const code of ['a/b', '100%', '%2F', 'Tōkyō ?&#', '..', '{x}']) {
    const { body } = await batch(
      subject,
      post('ports', { code, name: 'n' }, { as: 'port' }),
      get('ports/{port.code}'),
    );
    expect(body.data?.[1]).toMatchObject({ status_code: 200, data: { code } });
  }
});

contract(
  'An answer is written in the casing of its endpoint, around it in that of the batch',
  async (subject) => {
    await subject.save(Voyage, { title: 'Nice' });
    const { body } = await subject
      .request()
      .post('/title/batch')
      .send({
        Operations: [{ Method: 'POST', Path: '/title/stops', Body: { Place: 'x', VoyageId: 1 }, As: 'stop' }],
      });
    expect(body).toMatchObject({
      Status: 'Success',
      Data: [{ StatusCode: 201, Data: { Place: 'x', VoyageId: 1 }, Pagination: {} }],
    });
    const refused = await subject
      .request()
      .post('/title/batch')
      .send({ operations: [{ method: 'POST', path: '/title/stops', body: { Nothing: 1 } }] });
    expect(refused.body).toMatchObject({
      Status: 'InputErrors',
      InputErrors: { 'Operations.0.Body.Nothing': expect.any(String) },
    });
    const camel = await batch(subject, post('camel', { place: 'x', voyageId: 1 }), get('camel?limit=1'));
    expect(camel.body.data).toMatchObject([
      { status_code: 201, data: { voyageId: 1 } },
      { status_code: 200, pagination: { numberResults: 2 } },
    ]);
  },
);

contract(
  'Answers of a batch are written as the batch writes its own, whatever those of an operation are',
  async (subject) => {
    const { body } = await batch(subject, post('plain', { title: 'a' }), get('plain'));
    expect(body.data).toMatchObject([
      { status_code: 201, data: { title: 'a' } },
      { status_code: 200, data: [{ title: 'a' }], pagination: { number_results: 1 } },
    ]);
    const ask = (...operations: readonly unknown[]) =>
      subject.request().post('/problems/batch').send({ operations });
    const plain = await ask({ method: 'GET', path: '/problems/voyages/1' });
    expectAnswer(plain, 200, [
      { status_code: 200, data: { id: 1, title: 'a', miles: 0 }, pagination: {}, entity_tag: '"1"' },
    ]);
    const refused = await ask({ method: 'POST', path: '/problems/voyages', body: {} });
    expect(refused.headers['content-type']).toContain('application/problem+json');
    expect(refused.body).toMatchObject({
      status: 400,
      errors: { '/operations/0/body/title': "'title' is required." },
    });
  },
);

contract('A Batch without operations that can run is refused with a sentence', async (subject) => {
  const { request } = subject;
  const refusal = async (...operations: readonly unknown[]): Promise<string> =>
    String((await batch(subject, ...operations)).body.error);
  const ask = async (body?: object): Promise<string> =>
    (await request().post('/harbour/batch').send(body)).body.error;
  expect(await ask()).toBe('A JSON body is required');
  expect(await ask({ operations: {} })).toBe("'operations' must be a list of operations");
  expect(await ask({ operations: [] })).toBe("'operations' must have at least one entry");
  expect(await ask({ operations: [], more: 1 })).toBe("Unknown parameter 'more' in the body");
  expect(await ask({ operations: Array(21).fill(get('voyages')) })).toBe(
    "'operations' must not have more than 20 entries",
  );
  expect(await refusal(get('voyages'), null)).toBe('operations.1 must be an object');
  expect(await refusal({ ...get('voyages'), then: 1 })).toBe(
    "operations.0: 'then' is unknown; allowed: method, path, headers, body, as, with",
  );
  expect(await refusal({ path: '/harbour/voyages' })).toMatch(
    /^operations.0.method must be one of: GET, POST/,
  );
  expect(await refusal({ method: 'HEAD', path: '/harbour/voyages' })).toMatch(/^operations.0.method must/);
  for (const path of ['harbour', 'http://evil.example/', '/a b', '/é', '/a#b', '/a\r\nHost: x', 7])
    expect(await refusal({ method: 'GET', path })).toBe(
      'operations.0.path must be a path that begins with a slash, percent-encoded',
    );
  expect(await refusal(get('voyages/{'))).toContain('operations.0.path: a brace must be part of a reference');
  const headed = (headers: unknown) => refusal({ ...get('voyages'), headers });
  expect(await headed({ Authorization: 'x' })).toBe(
    "operations.0.headers: 'Authorization' is not allowed; allowed: if-match, if-none-match, prefer",
  );
  expect(await headed({ 'idempotency-key': 'x' })).toContain('is not allowed');
  expect(await headed({ prefer: 'a\r\nx: y' })).toBe(
    'operations.0.headers.prefer must be the text of a header',
  );
  expect(await headed([])).toBe('operations.0.headers must be an object');
});

contract(
  'A name is a letter and what follows it, used once, and known before it is used',
  async (subject) => {
    const refusal = async (...operations: readonly unknown[]): Promise<string> =>
      String((await batch(subject, ...operations)).body.error);
    const voyage = post('voyages', { title: 'a' }, { as: 'voyage' });
    const stop = (reference: unknown, more = {}) =>
      post('stops', { place: 'x' }, { with: { voyage_id: reference }, ...more });
    for (const as of ['1a', '', 'a-b', 'a'.repeat(65), 7, '__proto__'])
      expect(await refusal({ ...voyage, as })).toBe(
        'operations.0.as must be a letter and then up to 63 letters, digits and _',
      );
    expect(await refusal(voyage, voyage)).toBe(
      "operations.1.as: 'voyage' is the name of operations.0 already",
    );
    expect(await refusal(stop('voyage.id'), voyage)).toBe(
      "operations.0.with.voyage_id: 'voyage' is not the name of an earlier operation",
    );
    expect(await refusal(stop('stop.id', { as: 'stop' }))).toContain(
      "'stop' is not the name of an earlier operation",
    );
    expect(await refusal(voyage, stop('voyage.idd'))).toBe(
      "operations.1.with.voyage_id: 'voyage.idd' is not in the answer of operations.0",
    );
    for (const hidden of ['constructor', '__proto__', 'toString', 'title.length'])
      expect(await refusal(voyage, stop(`voyage.${hidden}`))).toContain(
        'is not in the answer of operations.0',
      );
    expect(await refusal(voyage, get('voyages/{voyage.nothing}'))).toBe(
      "operations.1.path: 'voyage.nothing' is not in the answer of operations.0",
    );
    expect(await refusal(voyage, stop('voyage'))).toContain('must name a column, such as voyage.id');
    expect(await refusal(voyage, stop(7))).toBe('operations.1.with.voyage_id must be a text such as trip.id');
    expect(await refusal(voyage, { ...stop('voyage.id'), body: [] })).toBe(
      'operations.1.body must be an object',
    );
    expect(await subject.count(Voyage)).toBe(0);
  },
);

contract('An endpoint that is not for batches cannot take part in one', async (subject) => {
  const harboured = (path: string): Sent => post(path, {});
  const barred: readonly Sent[] = [
    ...['kept-out', 'batch'].map(harboured),
    ...['text', 'accepted', 'raw'].map(get),
    { ...get(''), path: '/problems/voyages' },
    { ...post('', {}), path: '/outside' },
  ];
  for (const operation of barred) {
    const answer = await batch(subject, post('voyages', { title: 'a' }), operation);
    expectAnswer(answer, 400, clientError('operations.1: this endpoint cannot take part in a batch'));
  }
  expect(await subject.count(Voyage)).toBe(0);
});

contract('A client that has an answer already gets it all the same', async (subject) => {
  await subject.save(Voyage, { title: 'a' });
  const conditional = { ...get('voyages/1'), headers: { 'if-none-match': '*' } };
  expect((await batch(subject, conditional)).body.data[0]).toMatchObject({
    status_code: 200,
    data: { title: 'a' },
  });
});

contract('A number that JSON cannot hold is refused as outside of a batch', async ({ request }) => {
  const body = '{"title":"Nice","miles":1e400}';
  const alone = await request().post('/harbour/voyages').type('json').send(body);
  for (const more of ['', ',"with":{}', ',"with":{"title":"first.title"}']) {
    const first = '{"method":"POST","path":"/harbour/voyages","body":{"title":"Menton"},"as":"first"}';
    const second = `{"method":"POST","path":"/harbour/voyages","body":${body}${more}}`;
    const sent = `{"operations":[${first},${second}]}`;
    const answer = await request().post('/harbour/batch').type('json').send(sent);
    const { miles } = alone.body.input_errors;
    expect(answer.body.input_errors['operations.1.body.miles']).toBe(miles);
  }
});

contract('A Batch answers POST alone', async ({ request }) => {
  for (const method of ['get', 'put', 'head'] as const)
    expect((await request()[method]('/harbour/batch')).status).toBe(404);
  expectAnswer(await request().get('/harbour/batch'), 404, notFound);
});
