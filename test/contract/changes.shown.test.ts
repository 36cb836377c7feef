import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  ChangeRecord,
  Create,
  EmailColumn,
  Get,
  History,
  JsonColumn,
  recordChanges,
  RestfulApi,
} from '@nest-endpoints/core';
import { connectionOf } from '../support/catalogue.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { now } from './changes.clock.js';
import { Claims } from './claims.js';

const Sample = defineEntity({
  name: 'Sample',
  properties: {
    id: p.integer().primary().autoincrement(),
    mail: p.string().nullable(),
    data: p.json().nullable(),
    tags: p.array().nullable(),
    sizes: p
      .array((item) => Number(item))
      .columnType('int[]')
      .nullable(),
    moods: p.enum(['calm', 'wild']).array().nullable(),
    times: p.array().columnType('timestamptz[]').nullable(),
    words: p.json<string[]>().nullable(),
  },
});
const hour = 60 * 60 * 1000;
recordChanges(Sample, { keepFor: 24 * hour });

const hidden = '"***"';

class MaskedEmail extends EmailColumn {
  override readonly schema = { type: 'string' } as const;

  override toWire(): string {
    return hidden;
  }
}

class MaskedJson extends JsonColumn {
  override toWire(): string {
    return hidden;
  }
}

class Unshown extends EmailColumn {
  override toWire(value: unknown): string {
    throw new TypeError(`${String(value)} is not shown`);
  }
}

const lists = ['tags', 'sizes', 'moods', 'times', 'words'] as const;
const columns = ['mail', 'data', ...lists] as const;
const shown = { modelClass: Sample, readableColumnNames: columns } as const;
const masked = {
  ...shown,
  columnOverrides: { mail: { type: new MaskedEmail() }, data: { type: new MaskedJson() } },
} as const;

const { contract } = service(
  {
    entities: [Sample, ChangeRecord],
    endpoints: [
      new RestfulApi({
        ...shown,
        readableColumnNames: ['id', ...columns],
        writeableColumnNames: columns,
        sortableColumnNames: ['id'],
        searchableColumnNames: [],
        defaultSortColumnName: 'id',
        url: 'samples',
      }),
      new Create({
        ...shown,
        url: 'sent',
        writeableColumnNames: columns,
        authentication: new Claims(),
      }),
      new Get({ ...shown, url: 'then/:id', timeTravel: true }),
      new History({ ...shown, url: 'then/:id/history' }),
      new Get({ ...masked, url: 'masked/:id', timeTravel: true }),
      new History({ ...masked, url: 'masked/:id/history' }),
      new History({
        ...shown,
        url: 'unshown/:id/history',
        columnOverrides: { mail: { type: new Unshown() } },
      }),
    ],
    root: { changeLog: { actor: (identity) => Reflect.get(Object(identity) as object, 'sub') as string } },
  },
  postgresqlOnly,
);

const states = [
  {
    tags: ['a', 'with "quotes", and \\', 'null'],
    sizes: [1, -2],
    moods: ['wild'],
    times: ['2027-05-01T10:00:00+00:00'],
    words: ['x'],
  },
  { tags: [], sizes: [], moods: [], times: [], words: [] },
  { tags: null, sizes: null, moods: null, times: null, words: null },
  { tags: ['z'], sizes: [3], moods: ['calm', 'wild'], times: ['2028-01-01T00:00:00.5+00:00'], words: [''] },
];

contract('A list of the past is shown as a Get showed it then', async (subject) => {
  const { request } = subject;
  const { id } = (await request().post('/samples').send({})).body.data;
  const seen: [time: string, lists: object][] = [];
  for (const state of states) {
    const { status } = await request().patch(`/samples/${id}`).send(state);
    expect(status).toBe(200);
    const { body } = await request().get(`/then/${id}`);
    seen.push([await now(subject), body.data]);
  }
  expect(seen.map(([, data]) => data)).toMatchObject(
    states.map(({ times, ...state }) => ({ ...state, times: times && expect.any(Array) })),
  );
  for (const [time, data] of seen) {
    const past = await request().get(`/then/${id}?as_of=${time}`);
    expect([past.status, past.body.data]).toEqual([200, data]);
  }
  const { body } = await request().get(`/then/${id}/history`);
  for (const name of lists) {
    const after = (body.data as { changes: Record<string, { after: unknown }> }[]).map(
      ({ changes }) => changes[name]?.after,
    );
    const told = seen.map(([, data]) => Reflect.get(data, name) as unknown).toReversed();
    expect([name, after.slice(0, states.length)]).toEqual([name, told]);
  }
});

contract('What a type of an endpoint hides, its past hides, too', async (subject) => {
  const { request, em } = subject;
  const { id } = (
    await request()
      .post('/samples')
      .send({ mail: 'a@b.co', data: { secret: 1 } })
  ).body.data;
  const time = await now(subject);
  await request()
    .patch(`/samples/${id}`)
    .send({ mail: 'c@d.ee', data: ['secret'] });
  // As older records may be: they are no e-mail addresses.
  await em().getConnection().execute(`update change_record set after = after || '{"mail": "secret"}'`);
  const { status, body, text } = await request().get(`/masked/${id}/history`);
  expect([status, body.data.map(({ changes }: { changes: unknown }) => changes)]).toEqual([
    200,
    [
      { mail: { before: '***', after: '***' }, data: { before: '***', after: '***' } },
      expect.objectContaining({ mail: { after: '***' }, data: { after: '***' } }),
    ],
  ]);
  expect(text).not.toMatch(/secret|@/);
  const past = await request().get(`/masked/${id}?as_of=${time}`);
  expect([past.status, past.body.data]).toMatchObject([200, { mail: '***', data: '***' }]);
  const unshown = await request().get(`/unshown/${id}/history?column=mail`);
  expect([unshown.status, unshown.body.data[0].changes.mail]).toEqual([200, { before: null, after: null }]);
});

contract('An actor that is no text is told as one', async ({ request, orm }) => {
  const subs = ['ann', 5, true, { a: 1 }, ['b'], null];
  for (const sub of subs) {
    const claims = JSON.stringify({ sub });
    expect((await request().post('/sent').set('X-Claims', claims).send({})).status).toBe(201);
  }
  const rows = await connectionOf(orm).execute<{ actor: string | null }[]>(
    'select actor from change_record order by id',
  );
  expect(rows.map(({ actor }) => actor)).toEqual(['ann', '5', 'true', '{"a":1}', '["b"]', null]);
});

contract(
  'A time is refused before the first change of the log, and before what the log keeps',
  async ({ request, em }) => {
    const { id } = (await request().post('/samples').send({ mail: 'a@b.co' })).body.data;
    const then = async (hours: number) => {
      const time = new Date(Date.now() - hours * hour).toISOString();
      const { status, body } = await request().get(`/then/${id}?as_of=${time}`);
      return [status, status === 200 ? body.data.mail : body.error];
    };
    const age = (hours: number) =>
      em().getConnection().execute(`update change_record set at = at - interval '${hours} hours'`);
    const refused = [400, expect.stringMatching(/^'as_of' must be after \d{4}-/)];
    expect(await then(2)).toEqual(refused);
    await age(3);
    expect(await then(2)).toEqual([200, 'a@b.co']);
    // Nobody has thrown it away yet.
    await age(48);
    expect(await then(47)).toEqual(refused);
    expect(await then(2)).toEqual([200, 'a@b.co']);
  },
);
