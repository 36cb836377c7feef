import { expect } from '@jest/globals';
import { service } from '../support/contract.js';
import { Article, versioned } from './versioned.articles.js';

const { contract } = service(versioned());

/** Bodies one after the other: each is like the one before, or differs from it in one way. */
const bodies = [
  { title: 'Two', pages: 2 },
  { title: 'Three', pages: 3 },
  { title: 'Three', pages: null },
  { title: 'Four', pages: null },
  { title: 'Four', pages: 4 },
  { pages: 5, title: 'Five' },
  { pages: 6 },
  { pages: null },
  { title: 'Six' },
  { title: 'Seven' },
  { title: 'Seven' },
  { pages: null },
  { pages: 7 },
  { title: 'Eight' },
] as const;

for (const demand of ['no version', 'the version that it has', 'either in turn'] as const)
  contract(
    `An Update writes and answers what its body says, whatever the one before was like: ${demand} is demanded`,
    async ({ request, save, em }) => {
      const { id } = await save(Article, { title: 'One', pages: 1 });
      let expected: object = { title: 'One', pages: 1 };
      let { etag } = (await request().get(`/articles/${id}`)).headers;
      for (const [index, body] of bodies.entries()) {
        const isDemanded = demand === 'either in turn' ? index % 2 === 0 : demand !== 'no version';
        const update = request().patch(`/articles/${id}`);
        const answer = await (isDemanded ? update.set('If-Match', etag ?? '') : update).send(body);
        expected = { ...expected, ...body };
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ data: { id, ...expected } });
        expect(await em().findOneOrFail(Article, id)).toMatchObject(expected);
        ({ etag } = answer.headers);
      }
    },
  );

contract(
  'An Update of a version that is gone is refused, though one without a demand was like it, and the other way round',
  async ({ request, save, em }) => {
    const { id } = await save(Article, { title: 'One' });
    const { etag: gone } = (await request().get(`/articles/${id}`)).headers;
    for (const title of ['Two', 'Three']) {
      expect((await request().patch(`/articles/${id}`).send({ title })).status).toBe(200);
      const late = await request()
        .patch(`/articles/${id}`)
        .set('If-Match', gone ?? '')
        .send({ title: 'Late' });
      expect(late.status).toBe(412);
      expect(await em().findOneOrFail(Article, id)).toMatchObject({ title });
    }
  },
);
