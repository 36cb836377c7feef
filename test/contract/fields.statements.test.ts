import { expect } from '@jest/globals';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Statements, verbOf } from '../support/statements.js';
import { pressWith, Remark, Story, write } from './fields.press.js';

const { contract } = service(pressWith(), postgresqlOnly);

type Ask = (request: ReturnType<Subject['request']>) => PromiseLike<{ readonly status: number }>;

/** The statements of a request, but for what a transaction begins and ends with. */
const sent = async (subject: Subject, ask: Ask): Promise<readonly string[]> => {
  const statements = await Statements.of(subject);
  const all = await statements.during(async () => {
    expect((await ask(subject.request())).status).toBeLessThan(300);
  });
  return all.filter((one) => !['begin', 'commit', 'set'].includes(verbOf(one)));
};

contract('What is not selected is neither read nor joined', async (subject) => {
  await write(subject);
  for (const path of ['/stories/1', '/stories', '/keyset']) {
    const [statement = '', ...others] = await sent(subject, (request) => request.get(`${path}?fields=title`));
    expect(others).toEqual([]);
    expect(statement).toMatch(/"title" as c0/);
    expect(statement).not.toMatch(/join|"pages"|"slug"|writer/);
    const [joined = ''] = await sent(subject, (request) => request.get(`${path}?fields=writer.name`));
    expect(joined).toMatch(/join "writer"/);
    expect(joined).not.toMatch(/"land"|"title"/);
    const [far = ''] = await sent(subject, (request) => request.get(`${path}?include=writer.land.region`));
    expect(far).toMatch(/join "land"/);
  }
});

contract('A sort by what is not selected joins for the sort alone', async (subject) => {
  await write(subject);
  const [statement = ''] = await sent(subject, (request) =>
    request.get('/stories?sort=writer.name&fields=id'),
  );
  expect(statement).toMatch(
    /^select \S+"id" as c0, \(select count\S+ as total from \S+ as \S+\) as total from/,
  );
  expect(statement).toMatch(/join "writer"/);
});

contract(
  'Each included list of related records is one statement, however many records there are',
  async (subject) => {
    await write(subject);
    const [story] = await subject.em().find(Story, {}, { limit: 1 });
    for (let id = 10; id < 210; id += 1)
      await subject.em().insert(Remark, { id, text: String(id), story: Number(story?.id) });
    const answer = await subject.request().get('/stories/1?include=remarks');
    expect(answer.body.data.remarks).toHaveLength(202);
    const one = await sent(subject, (request) => request.get('/stories/1?include=remarks'));
    expect(one).toHaveLength(2);
    const page = await sent(subject, (request) => request.get('/stories?include=remarks'));
    expect(page).toHaveLength(2);
    const both = await sent(subject, (request) => request.get('/stories?include=tag_ids,remarks'));
    expect(both).toHaveLength(3);
    const hidden = await sent(subject, (request) => request.get('/stories?fields=tag_ids&include=remarks'));
    expect(hidden).toHaveLength(3);
  },
);

contract('A write shows what was selected by the statement that writes, where one does', async (subject) => {
  await write(subject);
  const isDirect =
    subject.orm.config.get('onReserveConnection') === undefined && subject.database === 'postgresql';
  // What the catalogue says of the table is asked first, once for all selections.
  await subject.request().patch('/stories/2').send({ pages: 1 });
  const update = (query: string, pages: number): Promise<readonly string[]> =>
    sent(subject, (request) => request.patch(`/stories/1?${query}`).send({ pages }));
  const plain = await update('fields=title', 31);
  const joined = await update('fields=writer.name', 32);
  const listed = await update('fields=title&include=remarks.id', 33);
  if (!isDirect) {
    expect(plain.at(-1)).not.toMatch(/join|"pages"/);
    expect(listed.filter((one) => one.includes('"remark"'))).toHaveLength(1);
    return;
  }
  expect([plain.length, joined.length]).toEqual([1, 1]);
  expect(plain[0]).toMatch(/returning \S+"title" as c0, \S+"version"::text as c1$/);
  expect(joined[0]).toMatch(/join "writer"/);
  expect(listed.some((one) => one.includes('"remark"'))).toBe(true);
  const created = await sent(subject, (request) => request.post('/stories?fields=slug').send({ title: 'x' }));
  expect(created).toHaveLength(1);
  expect(created[0]).not.toMatch(/join/);
});
