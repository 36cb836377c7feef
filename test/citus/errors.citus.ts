import { expect } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { fill, of, partedEndpoints, partedShop } from '../contract/parted.shop.js';
import { postgresqlOnly, service } from '../support/contract.js';

const { contract } = service(
  { ...partedShop, root: { ...partedShop.root, authentication: new Public() }, endpoints: partedEndpoints },
  postgresqlOnly,
);

contract('What a worker refuses is told of its column, as one PostgreSQL does', async (subject) => {
  await fill(subject);
  const complaint = "Invalid value for 'name': the given value already exists, and must be unique.";
  const post = (id: number) =>
    subject.request().post('/hooked').set(of('a')).send({ id, name: 'the same', project_id: 1 });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => post(100 + index)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expectAnswer(answer, 400, inputErrors({ name: complaint }));
  const deleted = await subject.request().delete('/projects/1').set(of('a'));
  expect([deleted.status, deleted.body.error]).toEqual([409, 'Other records still refer to this record']);
});
