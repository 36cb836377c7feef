import { expect } from '@jest/globals';
import { clientError, expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { includable, names, pressWith, Story, write } from './fields.press.js';

const { contract } = service(pressWith());

const usual = { id: 1, title: 'One', pages: 10, writer: { name: 'Ann' } };

contract('Get shows the columns that fields names, in the declared order', async ({ request, save }) => {
  await write({ save });
  const get = async (fields: string) => (await request().get(`/stories/1?fields=${fields}`)).body;
  expect(JSON.stringify((await get('title,id')).data)).toBe('{"id":1,"title":"One"}');
  expect(await get('writer.name')).toEqual(success({ writer: { name: 'Ann' } }));
  expectAnswer(await request().get('/stories/1'), 200, success(usual));
});

contract(
  'include adds to what is shown, and fields may name what is includable',
  async ({ request, save }) => {
    await write({ save });
    const get = async (query: string) => (await request().get(`/stories/1?${query}`)).body.data;
    const remarks = [
      { id: 1, text: 'good' },
      { id: 2, text: 'bad' },
    ];
    expect(await get('include=remarks')).toEqual({
      ...usual,
      remarks: [
        { id: 1, text: 'good', by: { name: 'Ann' } },
        { id: 2, text: 'bad', by: null },
      ],
    });
    expect(await get('include=remarks.id,remarks.text,slug')).toEqual({ ...usual, slug: 'one', remarks });
    expect(await get('fields=id&include=tag_ids')).toEqual({ id: 1, tag_ids: [1, 2] });
    expect(await get('fields=remarks.text,tag_ids')).toEqual({
      tag_ids: [1, 2],
      remarks: remarks.map(({ text }) => ({ text })),
    });
    expect(await get('fields=writer.land.region')).toEqual({ writer: { land: { region: 'Europe' } } });
  },
);

contract(
  'A bare relation stands for its shown columns, those of include for what is includable',
  async ({ request, save }) => {
    await write({ save });
    const get = async (query: string) => (await request().get(`/stories/1?${query}`)).body.data;
    const land = { name: 'Ireland', region: 'Europe' };
    expect(await get('fields=writer')).toEqual({ writer: { name: 'Ann', land } });
    expect(await get('fields=writer.land')).toEqual({ writer: { land } });
    expect(await get('fields=title&include=writer')).toEqual({ title: 'One', writer: { land } });
    expect(await get('include=writer')).toEqual({ ...usual, writer: { name: 'Ann', land } });
    expect(await get('fields=writer,writer.name')).toEqual({ writer: { name: 'Ann', land } });
  },
);

contract('Lists and searches select in the query string, in a body by lists', async (subject) => {
  const { request, query } = subject;
  await write(subject);
  const titles = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }];
  const shown = async (answer: PromiseLike<{ body: { error: string; data: unknown } }>) => {
    const { body } = await answer;
    expect(body.error).toBe('');
    return body.data;
  };
  expect(await shown(request().get('/stories?fields=title'))).toEqual(titles);
  expect(
    await shown(
      request()
        .get('/stories')
        .send({ fields: ['title'] }),
    ),
  ).toEqual(titles);
  expect(await shown(request().get('/stories?title=Two&fields=pages'))).toEqual([{ pages: 20 }]);
  expect(
    await shown(
      request()
        .get('/stories?fields=id')
        .send({ include: ['tag_ids'] }),
    ),
  ).toEqual([
    { id: 1, tag_ids: [1, 2] },
    { id: 2, tag_ids: [] },
    { id: 3, tag_ids: [] },
  ]);
  const where = [{ column: 'title', operator: '=', value: 'Two' }];
  const search = { fields: ['id'], include: ['remarks.text'], where };
  expect(await shown(request().post('/stories/search').send(search))).toEqual([
    { id: 2, remarks: [{ text: 'so so' }] },
  ]);
  expect(await shown(query('/stories/search').send({ fields: ['title'] }))).toEqual(titles);
  expectAnswer(
    await request().get('/stories/search?fields=id'),
    400,
    clientError("Unknown parameter 'fields' in the query string: this search takes a JSON body"),
  );
});

contract('Create and Update read what to show from the query string', async ({ request, count }) => {
  for (const url of ['/stories', '/hooked']) {
    const created = await request().post(`${url}?fields=title,pages`).send({ title: 'New' });
    expectAnswer(created, 201, success({ title: 'New', pages: null }));
    const location = String(created.headers['location']);
    expect(location).toMatch(new RegExp(`^${url}/\\d+$`));
    const changed = await request().patch(`${location}?fields=title&include=remarks.id`).send({ title: 'X' });
    expectAnswer(changed, 200, success({ title: 'X', remarks: [] }));
    expectAnswer(
      await request().patch(`${location}?fields=title`).send({ title: 'X' }),
      200,
      success({ title: 'X' }),
    );
    const refused = await request().post(`${url}?fields=titel`).send({ title: 'Never' });
    expect(refused.status).toBe(400);
  }
  expect(await count(Story)).toBe(2);
});

/** Hidden, in another casing, of a relation that shows others, and what is no name. */
const unknown = [
  ...[
    'x',
    'secret',
    'Title',
    'tagIds',
    'writer.',
    'writer.pin',
    'writer.id',
    'remarks.stars',
    'version',
    '*',
  ],
  ...['id,', 'id,%20title', '__proto__'],
];

contract('A name that cannot be selected is a 400 that lists those which can', async (subject) => {
  const { request } = subject;
  await write(subject);
  const refusals = {
    ...Object.fromEntries(
      unknown.map((name) => [`fields=${name}`, `'fields' must be of: ${names}`] as const),
    ),
    'include=constructor': `'include' must be of: ${includable}`,
    'include=title': `'include' must be of: ${includable}`,
    'include=writer.name': `'include' must be of: ${includable}`,
    'fields=': "'fields' must name at least one column",
    'include=': "'include' must name at least one column",
    'fields=id,title,id': "'fields' names 'id' twice",
    'include=slug,slug': "'include' names 'slug' twice",
    'fields=id&fields=title': "'fields' is given more than once in the query string",
  };
  for (const [query, error] of Object.entries(refusals))
    for (const url of ['/stories/1', '/stories']) {
      const { status, body } = await request().get(`${url}?${query}`);
      expect([query, status, body]).toEqual([query, 400, clientError(error)]);
    }
  for (const url of ['/stories', '/stories/search']) {
    const search = async (body: object) => (await request().get(url).send(body)).body.error;
    expect(await search({ fields: 'id' })).toBe("'fields' must be a list");
    expect(await search({ fields: null })).toBe("'fields' must be a list");
    expect(await search({ fields: [] })).toBe("'fields' must name at least one column");
    expect(await search({ fields: ['id', 1] })).toBe(`'fields' must be of: ${names}`);
    expect(await search({ include: [['slug']] })).toBe(`'include' must be of: ${includable}`);
    expect(await search({ fields: ['id', 'id'] })).toBe("'fields' names 'id' twice");
  }
  const both = await request()
    .get('/stories?fields=id')
    .send({ fields: ['id'] });
  expectAnswer(both, 400, clientError("'fields' is given in both the body and the query string"));
});

contract('Where clients select nothing, the words are what they were', async (subject) => {
  const { request } = subject;
  await write(subject);
  const refused = (word: string) => clientError(`Unknown parameter '${word}' in the query string`);
  expectAnswer(await request().get('/plain?fields=id'), 400, refused('fields'));
  expectAnswer(await request().get('/plain?include=slug'), 400, refused('include'));
  expectAnswer(
    await request()
      .get('/plain')
      .send({ fields: ['id'] }),
    400,
    clientError("Unknown parameter 'fields' in the body"),
  );
});

contract('Of two words the one that is off is refused', async (subject) => {
  const { request } = subject;
  await write(subject);
  const refused = (word: string) => clientError(`Unknown parameter '${word}' in the query string`);
  for (const path of ['/fields', '/fields/1'])
    expectAnswer(await request().get(`${path}?include=slug`), 400, refused('include'));
  for (const path of ['/includes', '/includes/1'])
    expectAnswer(await request().get(`${path}?fields=id`), 400, refused('fields'));
  expectAnswer(await request().get('/fields/1?fields=id'), 200, success({ id: 1 }));
  expectAnswer(await request().get('/includes/1?include=slug'), 200, success({ ...usual, slug: 'one' }));
  expectAnswer(
    await request().get('/fields/1?fields=slug'),
    400,
    clientError("'fields' must be of: id, title, pages, writer, writer.name"),
  );
});

contract('In TitleCase the words and the names are, too', async (subject) => {
  const { request } = subject;
  await write(subject);
  const titled = async (query: string) => (await request().get(`/titled/1?${query}`)).body;
  expect((await titled('Fields=Title,Writer.Name')).Data).toEqual({ Title: 'One', Writer: { Name: 'Ann' } });
  expect((await titled('fields=Title&Include=TagIds')).Data).toEqual({ Title: 'One', TagIds: [1, 2] });
  expect((await titled('fields=title')).Error).toMatch(/^'fields' must be of: Id, Title, Pages, Writer,/);
  expect((await titled('Fields=Id&fields=Id')).Error).toBe(
    "'fields' is given more than once in the query string",
  );
  const list = await request().get('/titled?Fields=Id&Sort=Title');
  expect(list.body.Data).toEqual([{ Id: 1 }, { Id: 3 }, { Id: 2 }]);
  const search = await request()
    .post('/titled-search')
    .send({ Fields: ['Id'], Include: ['Slug'] });
  expect(search.body.Data[0]).toEqual({ Id: 1, Slug: 'one' });
  const twice = await request()
    .post('/titled-search')
    .send({ Fields: ['Id'], fields: ['Id'] });
  expect(twice.body.Error).toBe("'fields' is given more than once in the body");
});

contract('The ETag is the version where the selection shows columns of the record alone', async (subject) => {
  const { request } = subject;
  await write(subject);
  const tag = async (query: string) => (await request().get(`/stories/1?${query}`)).headers['etag'];
  expect(await tag('fields=id')).toBe('"1"');
  expect(await tag('fields=title,pages&include=slug')).toBe('"1"');
  expect(await tag('')).toMatch(/^"1-[\w-]{22}"$/);
  expect(await tag('fields=writer.name')).toMatch(/^"1-[\w-]{22}"$/);
  expect(await tag('fields=id&include=remarks')).toMatch(/^"1-[\w-]{22}"$/);
  expect(await tag('fields=id,tag_ids')).toMatch(/^"1-/);
  const changed = await request().patch('/stories/1?fields=id').set('If-Match', '"1"').send({ pages: 11 });
  expect([changed.status, changed.headers['etag'], changed.body.data]).toEqual([200, '"2"', { id: 1 }]);
  const stale = await request().patch('/stories/1?fields=id').set('If-Match', '"1"').send({ pages: 12 });
  expect(stale.status).toBe(412);
  const hashed = String(await tag('fields=writer.name'));
  const again = await request().patch('/stories/1').set('If-Match', hashed).send({ pages: 12 });
  expect(again.status).toBe(200);
});

contract('If-None-Match knows an answer by what was selected', async (subject) => {
  const { request } = subject;
  await write(subject);
  const get = (query: string, known: string) =>
    request().get(`/stories/1?${query}`).set('If-None-Match', known);
  expect((await get('fields=id', '"1"')).status).toBe(304);
  const { etag } = (await request().get('/stories/1?fields=writer.name')).headers;
  expect((await get('fields=writer.name', String(etag))).status).toBe(304);
  expect((await get('fields=writer.land', String(etag))).status).toBe(200);
  expect((await get('fields=nothing', '"1"')).status).toBe(400);
});

contract('Pages go on behind a cursor whatever is selected', async (subject) => {
  const { request } = subject;
  await write(subject);
  const first = await request().get('/keyset?sort=pages&direction=desc&limit=2&fields=title');
  expect(first.body.data).toEqual([{ title: 'Three' }, { title: 'Two' }]);
  const after = encodeURIComponent(String(first.body.pagination.next_page.after));
  const page = `/keyset?sort=pages&direction=desc&limit=2&after=${after}`;
  expect((await request().get(`${page}&fields=id,writer.name`)).body.data).toEqual([
    { id: 1, writer: { name: 'Ann' } },
  ]);
  expect((await request().get(`${page}&include=slug`)).body.data).toEqual([{ ...usual, slug: 'one' }]);
  const search = { limit: 1, fields: ['id'], sort: [{ column: 'writer.name', direction: 'asc' }] };
  const { body } = await request().post('/keyset/search').send(search);
  const more = { ...search, ...body.pagination.next_page, fields: ['title'], include: ['tag_ids'] };
  expect((await request().post('/keyset/search').send(more)).body.data).toEqual([
    { title: 'Two', tag_ids: [] },
  ]);
});

contract('Links to other pages keep what was selected', async (subject) => {
  const { request } = subject;
  await write(subject);
  const { body, headers } = await request().get('/bare?fields=title&include=tag_ids&limit=1');
  expect(body).toEqual([{ title: 'One', tag_ids: [1, 2] }]);
  const next = /<([^>]*)>; rel="next"/.exec(String(headers['link']))?.[1] ?? '';
  expect(next).toBe('/bare?fields=title&include=tag_ids&limit=1&start=1');
  expect((await request().get(next)).body).toEqual([{ title: 'Two', tag_ids: [] }]);
  expect((await request().get('/bare?fields=x')).body).toMatchObject({
    status: 400,
    detail: `'fields' must be of: ${names}`,
  });
});

contract('What was selected is part of a request with an Idempotency-Key', async ({ request, count }) => {
  const post = (query: string) =>
    request().post(`/stories?${query}`).set('Idempotency-Key', '"k"').send({ title: 'New' });
  const first = await post('fields=id,title&include=remarks');
  expectAnswer(first, 201, success({ id: 1, title: 'New', remarks: [] }));
  const again = await post('fields=id,title&include=remarks');
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  expect((await post('fields=id')).status).toBe(409);
  expect(await count(Story)).toBe(1);
});
