import { expect } from '@jest/globals';
import { defineEntity, p, type FilterQuery } from '@mikro-orm/core';
import { OwnRecords, RequireClaims, RequireScopes } from '@nest-endpoints/auth';
import {
  allOf,
  anyOf,
  Authorization,
  Create,
  CreatedByAuthorizationDataColumn,
  CreatedByColumn,
  CreateMany,
  EndpointGroup,
  IdempotencyRecord,
  type AuthorizationRequest,
  type RequestFacts,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, failure } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Seat = defineEntity({
  name: 'Seat',
  properties: {
    id: p.integer().primary().autoincrement(),
    place: p.string(),
    tenant: p.string().nullable(),
    isGone: p.boolean().default(false),
  },
  filters: { kept: { name: 'kept', cond: { isGone: false }, default: true } },
});

const Receipt = defineEntity({
  name: 'Receipt',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => crypto.randomUUID()),
    place: p.string(),
    tenant: p.string().nullable(),
  },
});

interface Identity {
  readonly tenant?: string;
  readonly sub?: string;
}

/** Filters by a claim, and says nothing of it. */
class OwnTenant extends Authorization<{ tenant: string | null }, Identity> {
  override filterModel(_query: unknown, { tenant = '' }: Identity): FilterQuery<{ tenant: string | null }> {
    return { tenant };
  }
}

class TenantGate extends Authorization<object, Identity> {
  override gate({ tenant }: Identity): boolean {
    return tenant !== undefined;
  }
}

class SaidTenant extends OwnTenant {
  readonly identityClaims = ['tenant'];
}

class Extended extends OwnRecords {
  override gate(identity: Identity): boolean {
    return super.gate(identity) && identity.sub !== 'nobody';
  }
}

/** The tenant, which a repeated request must be of as well. */
class CreatedForTenant extends CreatedByColumn {
  readonly name = 'CreatedForTenant';
  override readonly claimNames = ['tenant'];

  protected valueIn({ authorizationData }: RequestFacts): unknown {
    return (authorizationData as Identity).tenant;
  }
}

interface Saving {
  readonly record: { tenant?: string | null | undefined };
  readonly authorizationData: unknown;
}

const receipts = {
  modelClass: Receipt,
  readableColumnNames: ['id', 'place'],
  writeableColumnNames: ['place'],
  idempotency: true,
  authentication: new Claims(),
  beforeSave: ({ record, authorizationData }: Saving) => {
    record.tenant = (authorizationData as Identity).tenant ?? null;
  },
} as const;

const rules = {
  filtered: new OwnTenant(),
  gated: new TenantGate(),
  said: new SaidTenant(),
  owned: new OwnRecords('tenant', 'tenant'),
  extended: new Extended('tenant', 'tenant'),
  required: new RequireClaims('tenant'),
  all: allOf(new RequireClaims('sub'), new OwnRecords('tenant', 'tenant')),
  any: anyOf(new RequireClaims({ tenant: 'none' }), new OwnTenant()),
} as const;

const { contract } = service({
  entities: [Receipt, Seat, IdempotencyRecord],
  endpoints: [
    ...Object.entries(rules).map(([url, authorization]) => new Create({ ...receipts, url, authorization })),
    new EndpointGroup({
      url: 'grouped',
      authorization: new OwnTenant(),
      endpoints: [new Create({ ...receipts, url: 'receipts' })],
    }),
    new Create({
      ...receipts,
      url: 'columns',
      beforeSave: () => undefined,
      columnOverrides: { tenant: { type: new CreatedByAuthorizationDataColumn('tenant') } },
    }),
    new Create({
      ...receipts,
      url: 'own-columns',
      beforeSave: () => undefined,
      columnOverrides: { tenant: { type: new CreatedForTenant() } },
    }),
    new Create({
      ...receipts,
      url: 'configured',
      idempotencySender: ({ tenant, sub }: Identity) => [tenant, sub],
    }),
    new Create({
      ...receipts,
      url: 'header',
      authorization: new OwnTenant(),
      idempotencySender: async (_identity: unknown, { headers }: AuthorizationRequest) =>
        Promise.resolve(headers['x-device']),
    }),
    new Create({ ...receipts, url: 'scoped', authorization: new RequireScopes('write') }),
    new Create({
      ...receipts,
      url: 'person',
      authorization: new OwnTenant(),
      idempotencySender: ({ sub }: Identity) => sub,
    }),
    new CreateMany({
      ...receipts,
      url: 'people',
      authorization: new OwnTenant(),
      idempotencySender: ({ sub }: Identity) => sub,
    }),
    new Create({
      url: 'seats',
      modelClass: Seat,
      readableColumnNames: ['id', 'place'],
      writeableColumnNames: ['place'],
      idempotency: true,
    }),
  ],
});

const post = (
  { request }: Subject,
  path: string,
  claims: object,
  headers: Readonly<Record<string, string>> = {},
) =>
  request()
    .post(path)
    .set('Idempotency-Key', 'key')
    .set('X-Claims', JSON.stringify(claims))
    .set(headers)
    .send({ place: '1A' });

/** What is told of an answer: its status, and whether it is one that was kept. */
const told = ({ status, headers }: { status: number; headers: Record<string, string> }) => [
  status,
  headers['idempotency-replayed'] === 'true',
];
const [created, replayed] = [
  [201, false],
  [201, true],
];

const ann = { iss: 'a', sub: 'ann' };

contract(
  'A key of one person in two tenants is two keys where rules or columns look at the tenant, whatever token he has',
  async (subject) => {
    const urls = [...Object.keys(rules), 'grouped/receipts', 'columns', 'own-columns', 'configured'];
    for (const url of urls) {
      const as = async (tenant: string, token: object) =>
        told(await post(subject, `/${url}`, { ...ann, tenant, ...token }));
      expect([url, await as('a', { exp: 4e9, jti: 'x' })]).toEqual([url, created]);
      expect([url, await as('b', { exp: 4e9, jti: 'x' })]).toEqual([url, created]);
      for (const tenant of ['a', 'b'])
        expect([url, await as(tenant, { exp: 5e9, jti: 'y', iat: 1, sid: 'z' })]).toEqual([url, replayed]);
    }
    const stored = await subject.em().findAll(Receipt);
    expect(stored.map(({ tenant }) => tenant).toSorted()).toEqual([
      ...urls.map(() => 'a'),
      ...urls.map(() => 'b'),
    ]);
  },
);

contract(
  'Claims that no rule looks at do not make another sender, where all rules say what they look at',
  async (subject) => {
    for (const url of ['owned', 'required', 'all', 'columns', 'said', 'configured']) {
      const as = async (more: object) =>
        told(await post(subject, `/${url}`, { ...ann, tenant: 'a', ...more }));
      expect([url, await as({ scope: 'read' })]).toEqual([url, created]);
      expect([url, await as({ scope: 'read write', email: 'ann@example.com' })]).toEqual([url, replayed]);
    }
    for (const url of ['filtered', 'gated', 'extended', 'any']) {
      const as = async (more: object) =>
        told(await post(subject, `/${url}`, { ...ann, tenant: 'a', ...more }));
      expect([url, await as({ scope: 'read' })]).toEqual([url, created]);
      expect([url, await as({ scope: 'read write' })]).toEqual([url, created]);
    }
    const scoped = async (scope: string) => told(await post(subject, '/scoped', { ...ann, scope }));
    expect([await scoped('write'), await scoped('write all'), await scoped('write')]).toEqual([
      created,
      created,
      replayed,
    ]);
  },
);

contract(
  'idempotencySender says what tells senders apart, and what it does not say is a 500',
  async (subject) => {
    const device = async (name?: string) =>
      post(
        subject,
        '/header',
        { ...ann, tenant: 'a', exp: Math.random() },
        name === undefined ? {} : { 'X-Device': name },
      );
    expect([told(await device('1')), told(await device('2')), told(await device('1'))]).toEqual([
      created,
      created,
      replayed,
    ]);
    expectAnswer(await device(), 500, failure('Internal Server Error'));
    for (const claims of [{ sub: 'ann' }, { tenant: 'a' }, { tenant: null, sub: 'ann' }])
      expectAnswer(await post(subject, '/configured', claims), 500, failure('Internal Server Error'));
    const said = subject.log.lines.filter(
      ({ level, text }) => level === 'error' && text.includes('idempotencySender gave nothing'),
    );
    expect(said).toHaveLength(4);
    expect(await subject.count(Receipt)).toBe(2);
  },
);

contract('A kept answer is shown only to who may see its record now', async (subject) => {
  const as = (tenant: string) => post(subject, '/person', { sub: 'ann', tenant });
  const first = await as('a');
  expect(told(first)).toEqual(created);
  expectAnswer(await as('b'), 404, clientError('Not Found'));
  expect((await as('b')).text).not.toContain('1A');
  const again = await as('a');
  expect([told(again), again.text]).toEqual([replayed, first.text]);
  await subject.em().nativeUpdate(Receipt, {}, { tenant: 'b' });
  expectAnswer(await as('a'), 404, clientError('Not Found'));
  expect([told(await as('b')), await subject.count(Receipt)]).toEqual([replayed, 1]);
  await subject.em().nativeDelete(Receipt, {});
  for (const tenant of ['a', 'b']) expectAnswer(await as(tenant), 404, clientError('Not Found'));
  expect(await subject.count(Receipt)).toBe(0);
});

contract('A kept answer about many records is shown only to who may see all of them now', async (subject) => {
  const many = () =>
    subject
      .request()
      .post('/people')
      .set('Idempotency-Key', 'many')
      .set('X-Claims', JSON.stringify({ sub: 'ann', tenant: 'a' }))
      .send({ records: [{ place: '1A' }, { place: '1B' }] });
  expect([told(await many()), told(await many())]).toEqual([created, replayed]);
  await subject.em().nativeUpdate(Receipt, { place: '1B' }, { tenant: 'b' });
  expectAnswer(await many(), 404, clientError('Not Found'));
  expect(await subject.count(Receipt)).toBe(2);
});

contract("A kept answer is not shown when a filter of MikroORM's hides its record", async (subject) => {
  const seat = () => post(subject, '/seats', {});
  expect([told(await seat()), told(await seat())]).toEqual([created, replayed]);
  await subject.em().nativeUpdate(Seat, {}, { isGone: true });
  expectAnswer(await seat(), 404, clientError('Not Found'));
  await subject.em().nativeUpdate(Seat, {}, { isGone: false }, { filters: false });
  expect(told(await seat())).toEqual(replayed);
});
