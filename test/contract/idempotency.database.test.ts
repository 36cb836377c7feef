import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineEntity, LockMode, p } from '@mikro-orm/core';
import {
  Authorization,
  Create,
  IdempotencyRecord,
  recommendedOptions,
  type AuthorizationRequest,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, failure } from '../support/answers.js';
import { startApplication, type Application } from '../support/application.js';
import {
  everyDatabase,
  postgresqlOnly,
  service,
  type Combination,
  type Subject,
} from '../support/contract.js';
import { Claims } from './claims.js';

const Ticket = defineEntity({
  name: 'Ticket',
  properties: { id: p.integer().primary().autoincrement(), tenant: p.string(), seat: p.string() },
});

const tickets = {
  modelClass: Ticket,
  readableColumnNames: ['id', 'seat'],
  writeableColumnNames: ['tenant', 'seat'],
  idempotency: true,
} as const;

/** Holds writes back until a test lets them go. */
let gate = Promise.withResolvers<undefined>();
let arrived = Promise.withResolvers<undefined>();
let undone = 0;

const { contract: onPostgresql } = service(
  {
    entities: [Ticket, IdempotencyRecord],
    endpoints: [
      new Create({
        ...tickets,
        url: 'held',
        afterSave: async () => {
          arrived.resolve(undefined);
          await gate.promise;
        },
      }),
      new Create({
        ...tickets,
        url: 'undone',
        afterSave: async ({ em }) => {
          undone -= 1;
          if (undone >= 0)
            await em.execute(`do $$ begin raise exception 'test' using errcode = '40001'; end $$`);
        },
      }),
    ],
    orm: recommendedOptions({ lockTimeout: 200, poolWait: 1000 }),
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

const post = (
  { request }: Pick<Subject, 'request'>,
  path: string,
  body: object = { tenant: 'a', seat: '1' },
) => request().post(path).set('Idempotency-Key', 'key').send(body);

onPostgresql('A retry that waits longer than the time limit for locks is a 503', async (subject) => {
  gate = Promise.withResolvers();
  arrived = Promise.withResolvers();
  const first = post(subject, '/held').then((answer) => answer);
  await arrived.promise;
  expectAnswer(await post(subject, '/held'), 503, failure('Service Unavailable'));
  gate.resolve(undefined);
  const { status, text } = await first;
  expect(status).toBe(201);
  expect((await post(subject, '/held')).text).toBe(text);
  expect(await subject.count(Ticket)).toBe(1);
});

onPostgresql(
  'A Create under a key that the database undid because of others is tried again',
  async (subject) => {
    undone = 2;
    expect((await post(subject, '/undone')).status).toBe(201);
    expect(await subject.count(Ticket)).toBe(1);
    expect((await post(subject, '/undone')).headers['idempotency-replayed']).toBe('true');
  },
);

onPostgresql('A Create that fails for good leaves no key', async (subject) => {
  undone = 9;
  expect((await post(subject, '/undone')).status).toBe(503);
  expect([await subject.count(Ticket), await subject.count(IdempotencyRecord)]).toEqual([0, 0]);
  undone = 0;
  expect((await post(subject, '/undone')).status).toBe(201);
});

const { contract: secured } = service(
  {
    entities: [Ticket, IdempotencyRecord],
    root: {
      rowLevelSecurity: {
        variables: (identity?: { tenant: string }) => ({ 'app.tenant': identity?.tenant }),
        role: 'nest_endpoints_member',
      },
    },
    endpoints: [new Create({ ...tickets, url: 'tickets', authentication: new Claims() })],
  },
  postgresqlOnly,
);

secured('Idempotency keys work with row level security, each tenant on its own', async (subject) => {
  await subject.em().getConnection().executeDump(`
    do $$ begin
      create role nest_endpoints_member;
    exception when duplicate_object or unique_violation then null; end $$;
    grant all on ticket to nest_endpoints_member;
    grant usage on all sequences in schema public to nest_endpoints_member;
    grant select, insert, update on idempotency_record to nest_endpoints_member;
    alter table ticket enable row level security;
    drop policy if exists own on ticket;
    create policy own on ticket using (tenant = current_setting('app.tenant', true));`);
  const as = (tenant: string, of = tenant) =>
    post(subject, '/tickets', { tenant: of, seat: '1' }).set(
      'X-Claims',
      JSON.stringify({ sub: 'ann', tenant }),
    );
  const first = await as('a');
  expect(first.status).toBe(201);
  const again = await as('a');
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
  expect((await as('b')).headers['idempotency-replayed']).toBeUndefined();
  expectAnswer(await as('c', 'a'), 403, clientError('Not Authorized'));
  expect(await subject.count(Ticket)).toBe(2);
  expect(await subject.count(IdempotencyRecord)).toBe(2);
});

/** Chooses the schema of a request. */
class Elsewhere extends Authorization {
  override gate(_identity: unknown, { em }: AuthorizationRequest): boolean {
    em.schema = 'elsewhere';
    return true;
  }
}

const { contract: inSchema } = service(
  {
    entities: [Ticket, IdempotencyRecord],
    root: { idempotencyKeyTime: 2000 },
    endpoints: [new Create({ ...tickets, url: 'tickets', authorization: new Elsewhere() })],
  },
  postgresqlOnly.slice(0, 1),
);

inSchema('Expired keys are swept in the schema that requests have chosen, too', async (subject) => {
  await subject.em().getConnection().executeDump(`
    drop schema if exists elsewhere cascade;
    create schema elsewhere;
    create table elsewhere.ticket (like public.ticket including all);
    create table elsewhere.idempotency_record (like public.idempotency_record including all);`);
  const kept = () => subject.em().fork({ schema: 'elsewhere' }).count(IdempotencyRecord);
  const body = { tenant: 'a', seat: '1A' };
  const post = subject.request().post('/tickets').set('Idempotency-Key', 'key');
  expect((await post.send(body)).status).toBe(201);
  expect([await kept(), await subject.count(IdempotencyRecord)]).toEqual([1, 0]);
  const deadline = Date.now() + 20_000;
  while ((await kept()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await kept()).toBe(0);
});

/** An application that sweeps every second. */
const sweeping = ({ platform, database }: Combination): Promise<Application> =>
  startApplication(platform, database, {
    entities: [Ticket, IdempotencyRecord],
    root: { idempotencyKeyTime: 1000 },
    endpoints: [new Create({ ...tickets, url: 'tickets' })],
  });

const agesOf = (prefix: string, count: number, expiresAt: Date) =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}${index}`, request: 'r', expiresAt }));

/** The ids of the kept answers, once there are no more than so many. */
const keptOnce = async ({ em }: Application, most: number): Promise<readonly string[]> => {
  const deadline = Date.now() + 20_000;
  while ((await em().count(IdempotencyRecord)) > most && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const kept = await em().findAll(IdempotencyRecord, { orderBy: { id: 'asc' } });
  return kept.map(({ id }) => id);
};

describe.each(everyDatabase)('$database', (combination) => {
  let application: Application;
  beforeAll(async () => {
    application = await sweeping(combination);
  });
  afterAll(() => application.close());

  test('The table of kept answers has an index by which expired ones are found', async () => {
    const sql = await application.orm.schema.getCreateSchemaSQL();
    expect(sql).toMatch(/ index [`"]idempotency_record_expires_at[`"] (?:on .+ )?\([`"]expires_at[`"]\)/);
  });

  test('Expired keys are swept, those that are kept stay', async () => {
    const { em } = application;
    await em().insertMany(IdempotencyRecord, agesOf('old', 2500, new Date(0)));
    await em().insertMany(IdempotencyRecord, agesOf('new', 3, new Date(Date.now() + 3_600_000)));
    expect(await keptOnce(application, 3)).toEqual(['new0', 'new1', 'new2']);
  });
});

/** The others have one connection, on which nobody waits for a lock. */
const servers = everyDatabase.filter(({ database }) => ['postgresql', 'mariadb'].includes(database));

describe.each(servers)('$database', (combination) => {
  let application: Application;
  beforeAll(async () => {
    application = await sweeping(combination);
  });
  afterAll(() => application.close());

  test('Expired keys are swept past those that somebody has locked', async () => {
    const { em } = application;
    const locked = ['old0', 'old1'];
    await em().insertMany(IdempotencyRecord, agesOf('old', 20, new Date(Date.now() + 2000)));
    await em().transactional(async (locker) => {
      const found = { id: { $in: locked } };
      await locker.find(IdempotencyRecord, found, { lockMode: LockMode.PESSIMISTIC_WRITE });
      expect(await keptOnce(application, 2)).toEqual(locked);
    });
    expect(await keptOnce(application, 0)).toEqual([]);
  });
});
