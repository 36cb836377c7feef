import { expect } from '@jest/globals';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { bothPostgresql, service } from '../support/contract.js';
import { idsOfPages, listing, pages, searching } from './keyset.walk.js';
import { application, found, where, write } from './searched.articles.js';

const { contract } = service(application, bothPostgresql);

const foxes = [
  ['The quick brown fox', 'jumps over the lazy dog'],
  ['Dogs and foxes', 'live in the wood'],
  ['Running', 'A fox was running'],
  ['Nothing', undefined],
  ['Fox, fox and fox', 'fox'],
] as const;

contract('matches finds words by their stems in all columns of a FullText column', async (subject) => {
  await write(subject, ...foxes);
  const matching = (text: string) => found(subject, { where: where(['text', 'matches', text]) });
  expect(await matching('fox')).toEqual([1, 2, 3, 5]);
  expect(await matching('FOXES dog')).toEqual([1, 2]);
  expect(await matching('"quick brown"')).toEqual([1]);
  expect(await matching('"brown quick"')).toEqual([]);
  expect(await matching('wood or jump')).toEqual([1, 2]);
  expect(await matching('fox -dog')).toEqual([3, 5]);
  expect(await matching('run')).toEqual([3]);
  expect(await matching('the and')).toEqual([]);
});

contract('A text has words found in its first 100,000 characters, however many it has', async (subject) => {
  const words = Array.from({ length: 130_000 }, (_, index) => index.toString(36)).join(' ');
  // Letters of four bytes in words with hyphens, which are kept whole and in parts, take the most room.
  const letters = (index: number): string =>
    String.fromCodePoint(0x20000 + (index % 40_000), 0x20000 + Math.floor(index / 40_000));
  const chains = Array.from({ length: 400 }, (_, chain) =>
    Array.from({ length: 160 }, (_link, link) => letters(chain * 160 + link)).join('-'),
  ).join(' ');
  await write(
    subject,
    ['A fox', `fox ${words} latest`],
    ['A fox', `fox ${chains} latest`],
    ['Another', 'fox'],
    ['Early', `${'- '.repeat(49_990)}early fox`],
  );
  for (const column of ['text', 'long']) {
    const search = { where: where([column, 'matches', 'fox']), sort: [{ column }] };
    expect((await found(subject, search)).toSorted()).toEqual(column === 'text' ? [1, 2, 3] : [1, 2, 3, 4]);
    expect(await found(subject, { where: where([column, 'matches', 'latest']) })).toEqual([]);
  }
});

contract(
  'prefix takes the last word for the beginning of words, and storedIn a column of words',
  async (subject) => {
    await write(subject, ['Fox hunting'], ['Foxglove'], ["O'Brian's fox"], ['A dog']);
    const matching = (column: string, text: string) =>
      found(subject, { where: where([column, 'matches', text]) });
    expect(await matching('beginning', 'fo')).toEqual([1, 2, 3]);
    expect(await matching('beginning', 'fo hu')).toEqual([]);
    expect(await matching('beginning', 'fox hu')).toEqual([1]);
    expect(await matching('beginning', "fox o'b")).toEqual([3]);
    expect(await matching('beginning', '-"a dog"')).toEqual([1, 2, 3]);
    expect(await matching('stored', 'fo')).toEqual([]);
    expect(await matching('stored', 'fox')).toEqual([1, 3]);
  },
);

contract(
  'Nothing that a client types is an error of a search for words or for what is similar',
  async (subject) => {
    await write(subject, ...foxes);
    const texts = [
      ...[
        "'",
        "''",
        '"',
        '" "',
        '&',
        '|',
        '!',
        '!!',
        '<->',
        ':*',
        '\\',
        "'fox':*",
        'fox && (bar "baz',
        '()',
        '-',
        '- -',
        'or',
      ],
      ...[`'; drop table article; --`, '$1', '?', '%', '_', 'x'.repeat(1000), '😀'.repeat(1000), ' ', '\n'],
    ];
    for (const text of texts) {
      const conditions = where(['text', 'matches', text], ['beginning', 'matches', text]);
      const similar = where(['like', 'similar', text], ['whole', 'similar', text]);
      for (const one of [...conditions, ...similar])
        expect(
          await subject
            .request()
            .post('/articles')
            .send({ where: [one] }),
        ).toMatchObject({ status: 200 });
    }
    expect(await found(subject, {})).toHaveLength(5);
  },
);

contract('A search text has between 1 and 1,000 characters', async (subject) => {
  const { request } = subject;
  const sentence = 'value should be between 1 and 1000 characters long';
  for (const value of ['', 'x'.repeat(1001), '😀'.repeat(1001)]) {
    for (const [column, operator] of [
      ['text', 'matches'],
      ['like', 'similar'],
    ] as const)
      expectAnswer(
        await request()
          .post('/articles')
          .send({ where: where([column, operator, value]) }),
        400,
        clientError(`where 1: ${sentence}`),
      );
    expectAnswer(await request().post('/simple').send({ text: value }), 400, inputErrors({ text: sentence }));
  }
  for (const [value, problem] of [
    [1, 'value should be a string'],
    [['fox'], 'value should be a string'],
    [null, 'value should not be null'],
    ['fox\0', 'value contains characters that cannot be stored'],
  ] as const) {
    const answer = await request()
      .post('/articles')
      .send({ where: where(['text', 'matches', value]) });
    expectAnswer(answer, 400, clientError(`where 1: ${problem}`));
  }
  expectAnswer(
    await request()
      .post('/articles')
      .send({ where: where(['text', '=', 'fox']) }),
    400,
    clientError('where 1: operator must be one of: matches'),
  );
  expectAnswer(
    await request()
      .post('/articles')
      .send({ where: where(['title', 'matches', 'fox']) }),
    400,
    clientError(
      'where 1: operator must be one of: <=>, !=, <=, >=, >, <, =, in, is not null, is null, is not, is, like, not in, contains, starts with, ends with',
    ),
  );
});

contract('A sort by a search is by its rank, best first, and needs a condition on it', async (subject) => {
  await write(subject, ...foxes);
  const { request } = subject;
  const matches = where(['text', 'matches', 'fox']);
  // The title counts more than the body, and a word that is there often more.
  expect(await found(subject, { where: matches, sort: [{ column: 'text' }] })).toEqual([5, 1, 2, 3]);
  expect(await found(subject, { where: matches, sort: [{ column: 'text', direction: 'asc' }] })).toEqual([
    3, 1, 2, 5,
  ]);
  expect(
    await found(subject, {
      where: matches,
      sort: [
        { column: 'text', direction: 'asc' },
        { column: 'id', direction: 'desc' },
      ],
    }),
  ).toEqual([3, 2, 1, 5]);
  const alone = clientError(`'text' can be sorted by only beside a condition on it`);
  expectAnswer(
    await request()
      .post('/articles')
      .send({ sort: [{ column: 'text' }] }),
    400,
    alone,
  );
  expectAnswer(
    await request()
      .post('/articles')
      .send({ sort: [{ column: 'text' }], where: where(['stored', 'matches', 'fox']) }),
    400,
    alone,
  );
  expectAnswer(await request().get('/simple?sort=text'), 400, alone);
  expectAnswer(
    await request()
      .post('/articles')
      .send({ sort: [{ column: 'id' }] }),
    400,
    clientError('sort 1: direction is missing'),
  );
  const simple = (query: string) => pages(listing(subject, `/simple?text=fox&sort=text${query}`));
  expect(idsOfPages(await simple('')).flat()).toEqual([5, 1, 2, 3]);
  expect(idsOfPages(await simple('&direction=asc')).flat()).toEqual([3, 1, 2, 5]);
});

contract('Keyset pages in the order of a rank reach every record once, ties included', async (subject) => {
  const titles = Array.from(
    { length: 60 },
    (_, index) =>
      [
        `${'fox '.repeat(1 + (index % 4))}${index % 3 === 0 ? 'and a dog ' : ''}${index % 2 === 0 ? 'Menton' : 'Mentone'}`,
      ] as const,
  );
  await write(subject, ...titles);
  for (const [column, operator, value] of [
    ['text', 'matches', 'fox'],
    ['like', 'similar', 'Menton'],
    ['whole', 'similar', 'fox fox menton'],
  ] as const)
    for (const direction of ['asc', 'desc']) {
      const search = { where: where([column, operator, value]), sort: [{ column, direction }] };
      const all = await found(subject, { ...search, limit: 200 });
      expect(all.length).toBeGreaterThan(20);
      for (const limit of [1, 7]) {
        const walked = idsOfPages(await pages(searching(subject, '/keyset', { ...search, limit })));
        expect(walked.flat()).toEqual(all);
      }
    }
});

contract('A cursor of a rank is good for the text that it is the rank of', async (subject) => {
  await write(subject, ...foxes);
  const search = (value: string) => ({
    where: where(['text', 'matches', value]),
    sort: [{ column: 'text' }],
    limit: 1,
  });
  const { body } = await subject.request().post('/keyset').send(search('fox'));
  const { after } = body.pagination.next_page;
  const asked = (value: string) =>
    subject
      .request()
      .post('/keyset')
      .send({ ...search(value), after });
  expect((await asked('fox')).status).toBe(200);
  expectAnswer(
    await asked('dog'),
    400,
    clientError(`'after' must be what next_page said of this list, for the same sort and direction`),
  );
});

contract('similar finds what is written nearly the same, from its threshold on', async (subject) => {
  await write(subject, ['Paris'], ['Saint-Denis near Paris'], ['Málaga'], ['London'], ['Parijs']);
  const similar = (column: string, value: string) =>
    found(subject, { where: where([column, 'similar', value]), sort: [{ column }] });
  expect(await similar('like', 'Pariss')).toEqual([1, 2, 5]);
  expect(await similar('whole', 'Pariss')).toEqual([1, 5]);
  expect(await similar('like', 'malaga')).toEqual([3]);
  expect(await similar('whole', 'Zürich')).toEqual([]);
  expect(await similar('like', 'Lundon')).toEqual([4]);
});

contract('A rank tells nothing of a record that is hidden', async (subject) => {
  await write(subject, ['fox'], ['fox fox', undefined, 2], ['a fox and a dog'], ['foxes', undefined, 2]);
  for (const [column, operator] of [
    ['text', 'matches'],
    ['like', 'similar'],
  ] as const) {
    const search = { where: where([column, operator, 'fox']), sort: [{ column }] };
    const { body } = await subject
      .request()
      .post('/own')
      .send({ ...search, limit: 1 });
    expect(body).toMatchObject({
      data: [{ id: 1 }],
      pagination: { number_results: 2, next_page: { start: 1 } },
    });
    expect((await found(subject, search, '/own')).toSorted()).toEqual([1, 3]);
  }
});

contract('Aggregate and UpdateMany take the conditions of searches', async (subject) => {
  await write(subject, ['Paris'], ['Parijs'], ['London'], ['A fox']);
  const { request } = subject;
  const similar = where(['like', 'similar', 'Pariss']);
  const counted = async (sent: object): Promise<unknown> =>
    (await request().post('/counted').send(sent)).body.data;
  expect(await counted({ where: similar })).toEqual({ count: 2 });
  expect(await counted({ where: where(['text', 'matches', 'foxes']) })).toEqual({ count: 1 });
  expect((await request().get('/counted?text=foxes')).body.data).toEqual({ count: 1 });
  const changed = await request()
    .patch('/many')
    .send({ where: similar, changes: { body: 'a city' }, maximum: 5 });
  expect(changed.body).toMatchObject({ error: '', data: [{ id: 1 }, { id: 2 }] });
  expect(await found(subject, { where: where(['text', 'matches', 'city']) })).toEqual([1, 2]);
});
