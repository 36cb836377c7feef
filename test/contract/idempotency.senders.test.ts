import { expect } from '@jest/globals';
import {
  Create,
  CreatedByAuthorizationDataColumn,
  IdempotencyRecord,
  type Authentication,
} from '@nest-endpoints/core';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { Receipt } from './orders.js';

class Person {
  readonly #name: string;

  constructor(
    name: string,
    readonly role = 'reader',
  ) {
    this.#name = name;
  }

  get name(): string {
    return this.#name;
  }
}

class Hidden {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  greeting(): string {
    return `Dear ${this.#name}`;
  }
}

class Named {
  constructor(readonly id: number) {}
}

class Admin extends Named {}

class Subjected extends Person {
  get sub(): string {
    return this.name;
  }
}

/** A list without an end. */
const endless = (): object => {
  const list: unknown[] = [];
  list.push(list);
  return { list };
};

const nested = (depth: number): unknown => (depth === 0 ? 'end' : { inner: nested(depth - 1) });

/** Two of each: identities that only look alike. */
const twos: readonly (readonly [unknown, unknown])[] = [
  [{ user: { id: 'alice' } }, { user: { id: 'bob' } }],
  [{ id: 1n }, { id: 2n }],
  [{ id: 1n }, { id: 1 }],
  [{ id: 1n }, { id: '1n' }],
  [{ tenants: ['alice'] }, { tenants: ['bob'] }],
  [{ tenants: ['a', 'b'] }, { tenants: [['a', 'b']] }],
  [{ born: new Date(0) }, { born: new Date(1) }],
  [{ all: new Map([['a', 1]]) }, { all: new Map([['a', 2]]) }],
  [{ all: new Set(['a']) }, { all: new Set(['b']) }],
  [{ all: new Set(['a']) }, { all: ['a'] }],
  [new Named(1), new Named(2)],
  [new Named(1), new Admin(1)],
  [{ user: new Named(1) }, { user: new Named(2) }],
  [{ user: { exp: 1 } }, { user: { exp: 2 } }],
  [{ sub: { id: 1 } }, { sub: { id: 2 } }],
  [
    { iss: { id: 1 }, sub: 'a' },
    { iss: { id: 2 }, sub: 'a' },
  ],
  [{ sub: 1n }, { sub: 2n }],
  [new Subjected('alice'), new Subjected('bob')],
  [{ sid: 'a' }, { sid: 'b' }],
  [{ s_hash: 'a' }, { s_hash: 'b' }],
  [['alice'], ['bob']],
  ['alice', 'bob'],
  [1n, 2n],
];

/** Identities that say of themselves nothing that could be relied on. */
const unknown: readonly unknown[] = [
  new Person('alice'),
  new Hidden('alice'),
  { user: new Hidden('alice') },
  { user: [new Person('alice')] },
  { name: () => 'alice' },
  { name: Symbol('alice') },
  { exp: 1, jti: 'a' },
  Object.create({ id: 'alice' }) as unknown,
  endless(),
  nested(100),
  { list: Array.from({ length: 20_000 }, () => 1) },
];

const sentence =
  'Senders of requests with an Idempotency-Key cannot be told apart: give their authorization data a `sub`';

/** Takes the identity that a test has put here. */
class Given implements Authentication {
  readonly allowedHeaders = [];
  current: unknown;

  authenticate(): unknown {
    return this.current;
  }
}

const given = new Given();

const receipts = {
  modelClass: Receipt,
  readableColumnNames: ['id', 'text'],
  writeableColumnNames: ['text'],
  idempotency: true,
} as const;

const { contract } = service({
  entities: [Receipt, IdempotencyRecord],
  endpoints: [new Create({ ...receipts, url: 'receipts', authentication: given })],
});

const as = ({ request }: Subject, identity: unknown, key: string) => {
  given.current = identity;
  return request().post('/receipts').set('Idempotency-Key', key).send({ text: 'secret' });
};

contract('Senders without a sub are told apart by everything that is known of them', async (subject) => {
  for (const [index, two] of twos.entries())
    for (const replayed of [undefined, 'true'])
      for (const identity of two) {
        const { status, headers } = await as(subject, identity, `key${index}`);
        expect([index, status, headers['idempotency-replayed']]).toEqual([index, 201, replayed]);
      }
  const alike = [
    { a: new Set([1, 2]), b: { c: 1, d: 2 }, exp: 1 },
    { b: { d: 2, c: 1 }, a: new Set([2, 1]), e: undefined, exp: 2 },
  ];
  const answers = [];
  for (const identity of alike) answers.push(await as(subject, identity, 'alike'));
  expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
});

contract(
  'A Create under a key of a sender that cannot be told from others is a 500, and the log says to give a sub',
  async (subject) => {
    for (const [index, identity] of unknown.entries()) {
      const answer = await as(subject, identity, 'key');
      expect([index, answer.status]).toEqual([index, 500]);
      expectAnswer(answer, 500, failure('Internal Server Error'));
    }
    const said = subject.log.lines.filter(({ level, text }) => level === 'error' && text.includes(sentence));
    expect(said).toHaveLength(unknown.length);
    expect(await subject.count(Receipt)).toBe(0);
    expect(await subject.count(IdempotencyRecord)).toBe(0);
    given.current = new Person('alice');
    expect((await subject.request().post('/receipts').send({ text: 'a' })).status).toBe(201);
  },
);

const { contract: secured } = service(
  {
    entities: [Receipt, IdempotencyRecord],
    root: {
      rowLevelSecurity: {
        variables: (identity?: { since: number }) => ({ 'app.since': new Date(identity?.since ?? 0) }),
      },
    },
    endpoints: [new Create({ ...receipts, url: 'receipts', authentication: new Claims() })],
  },
  postgresqlOnly,
);

secured('Variables of row level security that are times tell senders apart', async ({ request }) => {
  const since = async (time: number) => {
    const { headers } = await request()
      .post('/receipts')
      .set('Idempotency-Key', 'key')
      .set('X-Claims', JSON.stringify({ sub: 'ann', since: time }))
      .send({ text: 'secret' });
    return headers['idempotency-replayed'];
  };
  expect([await since(0), await since(1), await since(1)]).toEqual([undefined, undefined, 'true']);
});

const { contract: signed } = service({
  entities: [Receipt, IdempotencyRecord],
  endpoints: [
    new Create({
      ...receipts,
      url: 'receipts',
      writeableColumnNames: [],
      columnOverrides: { text: { type: new CreatedByAuthorizationDataColumn('name') } },
      authentication: new Claims(),
    }),
  ],
});

signed('Claims that a record is signed with tell senders apart, and others do not', async ({ request }) => {
  const asked = async (claims: object) => {
    const { headers, body } = await request()
      .post('/receipts')
      .set('Idempotency-Key', 'key')
      .set('X-Claims', JSON.stringify({ sub: 'ann', ...claims }))
      .send({});
    return [body.data.text, headers['idempotency-replayed']];
  };
  expect(await asked({ name: 'Ann' })).toEqual(['Ann', undefined]);
  expect(await asked({ name: 'Dr Ann' })).toEqual(['Dr Ann', undefined]);
  expect(await asked({ name: 'Ann', color: 'red' })).toEqual(['Ann', 'true']);
});
