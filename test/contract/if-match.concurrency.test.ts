import { expect } from '@jest/globals';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Article, Shelf, Topic, versioned } from './versioned.articles.js';

const { contract } = service(versioned(), postgresqlOnly);

const hundred = Array.from({ length: 100 }, (_, index) => index);

/** How often each status was answered. */
const tally = (answers: readonly { readonly status: number }[]) =>
  answers.reduce<Record<number, number>>(
    (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

const updates = ({ request }: Subject, path: string, values: (index: number) => object) =>
  Promise.all(hundred.map(async (index) => request().patch(path).set('If-Match', '"1"').send(values(index))));

contract('Of 100 concurrent updates with the same ETag exactly one succeeds', async (subject) => {
  for (const url of ['articles', 'hooked', 'written']) {
    const { id } = await subject.save(Article, { title: 'Zero' });
    const answers = await updates(subject, `/${url}/${id}`, (index) => ({ title: `Title ${index}` }));
    expect(tally(answers)).toEqual({ 200: 1, 412: 99 });
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await subject.em().findOne(Article, { id })).toMatchObject({
      title: `Title ${winner}`,
      version: 2,
    });
  }
});

contract('Of 100 concurrent updates of a list with the same ETag exactly one succeeds', async (subject) => {
  const topics = await Promise.all(hundred.map((index) => subject.save(Topic, { name: `Topic ${index}` })));
  const { id } = await subject.save(Shelf, {});
  const answers = await updates(subject, `/shelves/${id}`, (index) => ({ topic_ids: [topics[index]?.id] }));
  expect(tally(answers)).toEqual({ 200: 1, 412: 99 });
});

contract(
  'Of 100 concurrent deletes with the same ETag exactly one succeeds',
  async ({ request, save, count }) => {
    for (const url of ['articles', 'hooked']) {
      const { id } = await save(Article, { title: 'Zero' });
      const answers = await Promise.all(
        hundred.map(async () => request().delete(`/${url}/${id}`).set('If-Match', '"1"')),
      );
      expect(tally(answers)).toEqual({ 200: 1, 404: 99 });
      expect(await count(Article)).toBe(0);
    }
  },
);

contract('Updates and deletes with one ETag at the same time let exactly one through', async (subject) => {
  const { request, save } = subject;
  for (const url of ['articles', 'hooked']) {
    const { id } = await save(Article, { title: 'Zero' });
    const answers = await Promise.all(
      hundred.slice(0, 40).map(async (index) => {
        const path = `/${url}/${id}`;
        const write = index % 2 === 0 ? request().patch(path).send({ pages: index }) : request().delete(path);
        return write.set('If-Match', '"1"');
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => ![200, 404, 412].includes(status))).toEqual([]);
  }
});
