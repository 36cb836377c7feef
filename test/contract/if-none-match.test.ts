import { expect } from '@jest/globals';
import { fc } from '../support/property.js';
import { expectAnswer, notFound } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { Article, Memo, versioned, Writer } from './versioned.articles.js';

const { contract } = service(versioned());
const { contract: onPostgresql } = service(versioned(), once);

const empty = { status: 304, text: '' };

contract('Get is 304 without a body where If-None-Match has the ETag', async ({ raw, save }) => {
  const { id } = await save(Article, { title: 'One' });
  const headers = { 'If-None-Match': '"1"' };
  const answer = await raw('GET', `/articles/${id}`, { headers });
  expect(answer).toMatchObject({ ...empty, headers: { etag: '"1"' } });
  expect(answer.headers['content-length']).toBeUndefined();
  const head = await raw('HEAD', `/articles/${id}`, { headers });
  expect(head).toMatchObject({ ...empty, headers: { etag: '"1"' } });
  expect(head.headers['content-length']).toBeUndefined();
  // Without the tag it is the length of the whole answer.
  const whole = await raw('GET', `/articles/${id}`);
  const length = String(Buffer.byteLength(whole.text));
  expect((await raw('HEAD', `/articles/${id}`)).headers['content-length']).toBe(length);
});

contract('If-None-Match compares weakly, takes lists and any tag', async ({ raw, save }) => {
  const { id } = await save(Article, { title: 'One' });
  for (const tags of ['W/"1"', '"0", "1"', '"a,b" ,W/"1"', ', "1",,', '*', ' * '])
    expect(await raw('GET', `/articles/${id}`, { headers: { 'If-None-Match': tags } })).toMatchObject(empty);
  for (const tags of ['"0"', 'W/"2"', '"1-"', '"1,2"', '""'])
    expect(await raw('GET', `/articles/${id}`, { headers: { 'If-None-Match': tags } })).toMatchObject({
      status: 200,
    });
});

contract('A changed record is answered in spite of If-None-Match', async ({ request, save }) => {
  const { id } = await save(Article, { title: 'One' });
  await request().patch(`/articles/${id}`).send({ title: 'Two' });
  const { status, body } = await request().get(`/articles/${id}`).set('If-None-Match', '"1"');
  expect([status, body.data.title]).toEqual([200, 'Two']);
});

contract('A changed parent is answered in spite of If-None-Match', async ({ request, save, em }) => {
  const writer = await save(Writer, { name: 'Ann' });
  const { id } = await save(Article, { title: 'One', writer });
  for (const url of ['written', 'mapped']) {
    const etag = String((await request().get(`/${url}/${id}`)).headers['etag']);
    expect((await request().get(`/${url}/${id}`).set('If-None-Match', etag)).status).toBe(304);
  }
  const etag = String((await request().get(`/written/${id}`)).headers['etag']);
  await em().nativeUpdate(Writer, { id: writer.id }, { name: 'Bea' });
  expect((await request().get(`/written/${id}`).set('If-None-Match', etag)).status).toBe(200);
});

contract(
  'A record that is not there or hidden is Not Found whatever If-None-Match says',
  async ({ request, save }) => {
    const { id } = await save(Article, { title: 'One', isPublic: false });
    for (const tags of ['*', '"1"'])
      for (const path of ['/articles/99', `/public/${id}`])
        expectAnswer(await request().get(path).set('If-None-Match', tags), 404, notFound);
  },
);

contract(
  'An unreadable If-None-Match is 400, client_error, with a sentence that names it',
  async ({ request, save }) => {
    const { id } = await save(Article, { title: 'One' });
    for (const tags of ['1', '"1', '"1" "2"', '*, "1"', 'w/"1"', ',', '']) {
      const { status, body } = await request().get(`/articles/${id}`).set('If-None-Match', tags);
      expect([status, body.status, body.error]).toEqual([
        400,
        'client_error',
        'The header If-None-Match must be * or a list of entity tags in double quotes',
      ]);
    }
  },
);

contract('Get on a model without a version does not look at If-None-Match', async ({ request, save }) => {
  const { id } = await save(Memo, { text: 'One' });
  for (const tags of ['*', '"1"', 'nonsense'])
    expect((await request().get(`/memos/${id}`).set('If-None-Match', tags)).status).toBe(200);
});

onPostgresql('Whatever If-None-Match holds is a 200, a 304 or a 400', async ({ raw, save }) => {
  const { id } = await save(Article, { title: 'One' });
  const etagc = fc.string({
    unit: fc.constantFrom('!', '#', ',', ';', '/', 'W', '1', '*', '-', 'ÿ', '\\'),
    maxLength: 6,
  });
  const tag = fc.tuple(fc.constantFrom('', 'W/'), fc.oneof(fc.constant('1'), etagc));
  const gap = fc.constantFrom(',', ', ', ' ,', ',\t', ',,');
  const list = fc.array(fc.tuple(tag, gap), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(list, async (members) => {
      const text = members.map(([[weak, opaque], comma]) => `${weak}"${opaque}"${comma}`).join('');
      const isKnown = members.some(([[, opaque]]) => opaque === '1');
      const { status } = await raw('GET', `/articles/${id}`, { headers: { 'If-None-Match': text } });
      expect([text, status]).toEqual([text, isKnown ? 304 : 200]);
    }),
    { numRuns: 200 },
  );
  const anything = fc.string({
    unit: fc.constantFrom('"', '*', ',', 'W', '/', ' ', '1', 'a'),
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(anything, async (text) => {
      const { status } = await raw('GET', `/articles/${id}`, { headers: { 'If-None-Match': text } });
      expect([200, 304, 400]).toContain(status);
    }),
    { numRuns: 200 },
  );
});
