import { expect } from '@jest/globals';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { pressWith, write } from './fields.press.js';

const { contract } = service(pressWith(), everyDatabase);

contract('Upsert and writes of many records read what to show from the query string', async (subject) => {
  const { request } = subject;
  await write(subject);
  expectAnswer(await request().put('/tags/9?fields=name').send({ name: 'N' }), 201, success({ name: 'N' }));
  expectAnswer(await request().put('/tags/9?fields=id').send({ name: 'M' }), 200, success({ id: 9 }));
  const records = [{ title: 'New', writer_id: 1 }, { title: 'Newer' }];
  expectAnswer(
    await request().post('/stories/bulk?fields=title&include=writer.land.name').send({ records }),
    201,
    success([
      { title: 'New', writer: { land: { name: 'Ireland' } } },
      { title: 'Newer', writer: null },
    ]),
  );
  const body = { ids: [2, 1], changes: { pages: 5 } };
  expectAnswer(
    await request().patch('/stories/bulk?fields=pages&include=remarks.id').send(body),
    200,
    success([
      { pages: 5, remarks: [{ id: 3 }] },
      { pages: 5, remarks: [{ id: 1 }, { id: 2 }] },
    ]),
  );
  for (const refused of [
    request().put('/tags/9?fields=named').send({ name: 'Never' }),
    request().post('/stories/bulk?fields=named').send({ records }),
    request().patch('/stories/bulk?include=named').send(body),
  ])
    expect((await refused).status).toBe(400);
  expectAnswer(await request().post('/keys/bulk').send({ records }), 201, success([6, 7]));
});
