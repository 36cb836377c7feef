import { Get } from '@nest-endpoints/core';
import { expectAnswer, failure, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Author, Book, Country } from '../support/entities/library.js';

const titles = { modelClass: Book, readableColumnNames: ['isbn', 'title'] } as const;

const { contract } = service(
  libraryWith([
    new Get({ ...titles, url: 'books/:id' }),
    new Get({ ...titles, url: 'isbn/:isbn', recordLookupColumnName: 'isbn' }),
    new Get({ ...titles, url: 'mapped/:id', outputMap: ({ record }) => Object.values(record) }),
    new Get({ ...titles, url: 'bare/:id', outputMap: ({ entity }) => entity }),
    new Get({ ...titles, url: 'member/:id', outputMap: ({ entity }) => ({ books: [entity] }) }),
    new Get({ ...titles, url: 'shelves/:shelf/books/:id' }),
    new Get({ modelClass: Author, url: 'authors/:id', readableColumnNames: ['name'] }),
    new Get({ modelClass: Country, url: 'countries/:code', readableColumnNames: ['name'] }),
  ]),
);

const unknownId = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';

contract(
  'Get answers an object of the readable columns of the record that the path names',
  async ({ request, save }) => {
    await save(Book, { title: 'Persuasion', pages: 249 });
    const { id } = await save(Book, { title: 'Emma', isbn: '42', pages: 474 });
    expectAnswer(await request().get(`/books/${id}`), 200, success({ isbn: '42', title: 'Emma' }));
  },
);

contract("Get looks up by the model's id column by default", async ({ request, save }) => {
  await save(Country, { code: 'nl', name: 'Netherlands' });
  expectAnswer(await request().get('/countries/nl'), 200, success({ name: 'Netherlands' }));
});

contract('record_lookup_column_name lets Get look up by another unique column', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '0141439580' });
  const answer = await request().get('/isbn/0141439580');
  expectAnswer(answer, 200, success({ isbn: '0141439580', title: 'Emma' }));
});

contract('Get answers client_error, Not Found where no record matches', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  for (const path of [`/books/${unknownId}`, '/isbn/42', '/isbn/null', '/authors/1', '/countries/xx'])
    expectAnswer(await request().get(path), 404, notFound);
});

contract("A path value that cannot be of the column's type is Not Found", async ({ request, save }) => {
  await save(Author, { name: 'Jane Austen' });
  const numbers = ['one', '1.0', '1e0', '0x1', '%201', '+1', '1%20', '1,', '2147483648', '-2147483649'];
  const odd = ['9'.repeat(40), '%D9%A1', '1%00', 'NaN', 'Infinity', 'true', '[1]', "1'--", '__proto__'];
  for (const text of [...numbers, ...odd])
    expectAnswer(await request().get(`/authors/${text}`), 404, notFound);
  for (const text of ['1', unknownId.slice(1), `${unknownId}0`, `%7B${unknownId}%7D`, `${unknownId}%0A`])
    expectAnswer(await request().get(`/books/${text}`), 404, notFound);
});

contract('A path value that the database cannot store is Not Found', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '42' });
  for (const text of ['42%00', '%00', 'x'.repeat(2000)])
    expectAnswer(await request().get(`/isbn/${text}`), 404, notFound);
});

contract('A text in a path is looked up exactly', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: 'Ab_' });
  for (const text of ['ab_', 'Ab_%20', 'Ab%25', 'Abx', '%20Ab_'])
    expectAnswer(await request().get(`/isbn/${text}`), 404, notFound);
  expectAnswer(await request().get('/isbn/Ab_'), 200, success({ isbn: 'Ab_', title: 'Emma' }));
});

contract('A Uuid in a path is found in either letter case', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const answer = await request().get(`/books/${id.toUpperCase()}`);
  expectAnswer(answer, 200, success({ isbn: null, title: 'Emma' }));
});

contract('Other parameters of the path do not narrow the look-up of a Get', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const answer = await request().get(`/shelves/anything/books/${id}`);
  expectAnswer(answer, 200, success({ isbn: null, title: 'Emma' }));
});

contract('Get answers GET by default', async ({ request, query, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  expectAnswer(await request().get(`/books/${id}`), 200, success({ isbn: null, title: 'Emma' }));
  const others = [request().post(`/books/${id}`), request().patch(`/books/${id}`), query(`/books/${id}`)];
  for (const other of others) expectAnswer(await other, 404, notFound);
});

contract('output_map replaces the answer of a Get', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma', isbn: '42' });
  expectAnswer(await request().get(`/mapped/${id}`), 200, success(['42', 'Emma']));
});

contract('outputMap shows no whole entity: that is a 500', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma', isbn: '42', pages: 474 });
  for (const path of [`/bare/${id}`, `/member/${id}`])
    expectAnswer(await request().get(path), 500, failure('Internal Server Error'));
});
