import { setImmediate as immediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { once, service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { named, reads, send, writes } from './schemas.asks.js';
import { build, fleet, fleetEndpoints } from './schemas.fleet.js';
import { as } from './tenants.js';

const { contract } = service(
  {
    ...fleet,
    endpoints: fleetEndpoints(false),
    root: {
      schemaOf: async (identity: unknown) =>
        Promise.resolve((identity as { readonly tenant: string }).tenant),
      schemas: (name) => Promise.resolve(name !== 'tc'),
      idempotencyKeyTime: 1000,
      rowLevelSecurity: { variables: (identity) => ({ 'app.tenant': String(Object(identity).tenant) }) },
    },
  },
  once,
);

contract(
  'Row level security stands beside it, and a function says which schemas there are',
  async (subject) => {
    await build(subject);
    for (const schema of ['ta', 'tb'])
      for (const ask of [...Object.values(reads), ...Object.values(writes(schema))].flat()) {
        if (ask.path.endsWith('/history')) continue;
        const { text, isGood } = await send(subject, schema, ask);
        expect({ ask, text, isGood, isAlone: named(text).every((one) => one === schema) }).toEqual({
          ask,
          text,
          isGood: true,
          isAlone: true,
        });
      }
    const statements = await Statements.of(subject);
    const sent = await statements.during(() => send(subject, 'ta', { path: '/crews/1' }));
    expect(sent.filter((text) => text.includes('set_config'))).not.toEqual([]);
    expect((await subject.request().get('/ships/1').set(as('tc'))).status).toBe(403);
  },
);

contract('Hundreds of schemas are served one after the other and at once', async (subject) => {
  await build(subject, []);
  const many = Array.from({ length: 250 }, (_, index) => `many${index}`);
  await subject.orm.em.getConnection().executeDump(
    many
      .map(
        (schema) => `drop schema if exists ${schema} cascade; create schema ${schema};
          create table ${schema}.crew (like public.crew including all);
          create table ${schema}.ship (like public.ship including all);
          insert into ${schema}.crew values (1, 'crew of ${schema}');`,
      )
      .join(''),
  );
  const get = async (schema: string) => ({ schema, ...(await send(subject, schema, { path: '/crews/1' })) });
  for (const answers of [await Promise.all(many.map(get)), await Promise.all(many.toReversed().map(get))])
    for (const { schema, text } of answers) expect(named(text)).toEqual([schema]);
  for (const schema of ['many0', 'many249', 'many1'])
    expect(
      await send(subject, schema, {
        method: 'patch',
        path: '/crews/1',
        body: { name: `again of ${schema}` },
      }),
    ).toMatchObject({ isGood: true, text: expect.stringContaining(`again of ${schema}`) });
});

contract('Expired keys are swept in the schemas of tenants, and in no other', async (subject) => {
  await build(subject);
  const connection = subject.orm.em.getConnection();
  for (const schema of ['tb', 'tc'])
    await connection.execute(
      `insert into ${schema}.idempotency_record (id, request, expires_at) values ('a', 'b', now() - interval '1 day')`,
    );
  const kept = async (schema: string): Promise<number> => {
    const rows: unknown[] = await connection.execute(`select id from ${schema}.idempotency_record`);
    return rows.length;
  };
  // The sweep comes every second, and the test ends with it.
  while ((await kept('tb')) > 0) await immediate();
  expect([await kept('tb'), await kept('tc')]).toEqual([0, 1]);
});
