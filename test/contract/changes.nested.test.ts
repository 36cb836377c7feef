import { expect, test } from '@jest/globals';
import { defineEntity, p, type EntityMetadata } from '@mikro-orm/core';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import {
  anyOf,
  allOf,
  Authorization,
  ChangeRecord,
  EndpointGroup,
  Get,
  History,
  recordChanges,
  RestfulApi,
  Update,
  type AuthorizationRule,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { now } from './changes.clock.js';
import { Claims } from './claims.js';
import { stopped } from './stopped.js';

const Board = defineEntity({
  name: 'Board',
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    keeper: p.string().nullable(),
    above: () => p.manyToOne(Board).nullable(),
  },
});

/** A record that has no tenant but that of its board. */
const Leaf = defineEntity({
  name: 'Leaf',
  properties: {
    id: p.integer().primary(),
    text: p.string(),
    reader: p.string().nullable(),
    board: () => p.manyToOne(Board),
  },
});

const Vein = defineEntity({
  name: 'Vein',
  properties: { id: p.integer().primary(), text: p.string(), leaf: () => p.manyToOne(Leaf) },
});

/** A record that has the tenant, too. */
const Card = defineEntity({
  name: 'Card',
  properties: {
    id: p.integer().primary(),
    text: p.string(),
    tenant: p.string(),
    board: () => p.manyToOne(Board),
  },
});

const Hidden = defineEntity({
  name: 'Hidden',
  properties: { id: p.integer().primary(), isOpen: p.boolean() },
  filters: { open: { name: 'open', cond: { isOpen: true }, default: true } },
});

const Sheet = defineEntity({
  name: 'Sheet',
  properties: { id: p.integer().primary(), text: p.string(), hidden: () => p.manyToOne(Hidden) },
});

recordChanges(Board, { keepFor: 'forever' });
recordChanges(Leaf, { keepFor: 'forever' });
recordChanges(Vein, { keepFor: 'forever' });
recordChanges(Card, { keepFor: 'forever' });
recordChanges(Sheet, { keepFor: 'forever' });

const entities = [Board, Leaf, Vein, Card, Hidden, Sheet, ChangeRecord];

const tenants = new TenantRecords({ columnName: 'tenant', claim: 'tenant' });

const below = (authorization: AuthorizationRule, endpoint: EndpointOrGroup) =>
  new EndpointGroup({ authentication: new Claims(), authorization, endpoints: [endpoint] });

const leaf = { modelClass: Leaf, parent: 'board', readableColumnNames: ['id', 'text'] } as const;
const leafPast = { ...leaf, url: 'boards/:boardId/leaves/:id/history' } as const;
const leafThen = { ...leaf, url: 'boards/:boardId/leaves/:id', timeTravel: true } as const;
const card = { modelClass: Card, parent: 'board', readableColumnNames: ['id', 'text'] } as const;
const cardPast = { ...card, url: 'boards/:boardId/cards/:id/history' } as const;
const cardThen = { ...card, url: 'boards/:boardId/cards/:id', timeTravel: true } as const;

const { contract } = service(
  {
    entities,
    endpoints: [
      new Update({
        url: 'ops/boards/:id',
        modelClass: Board,
        readableColumnNames: ['id'],
        writeableColumnNames: ['tenant'],
      }),
      new Update({
        url: 'ops/leaves/:id',
        modelClass: Leaf,
        readableColumnNames: ['id'],
        writeableColumnNames: ['text', 'reader'],
      }),
      new Update({
        url: 'ops/cards/:id',
        modelClass: Card,
        readableColumnNames: ['id'],
        writeableColumnNames: ['text', 'tenant'],
      }),
      below(tenants, new History({ ...leafPast, narrowedBy: ['reader'] })),
      below(tenants, new Get({ ...leafThen, narrowedBy: ['reader'] })),
      below(tenants, new History(cardPast)),
      below(tenants, new Get(cardThen)),
    ],
  },
  once,
);

const ofA = { 'X-Claims': JSON.stringify({ tenant: 'a' }) };

for (const [sort, make, moving] of [
  ['leaves', ({ save }: Subject) => save(Leaf, { id: 1, text: 'made', board: 1 }), { reader: 'of a' }],
  [
    'cards',
    ({ save }: Subject) => save(Card, { id: 1, text: 'made', tenant: 'b', board: 1 }),
    { tenant: 'a' },
  ],
] as const)
  contract(`The past of ${sort} begins when they and their board became the tenant's`, async (subject) => {
    const { request, save } = subject;
    const change = async (path: string, body: object) =>
      expect((await request().patch(`/ops/${path}/1`).send(body)).status).toBe(200);
    await save(Board, { id: 1, tenant: 'b' });
    await make(subject);
    await change(sort, { text: 'SECRET of b' });
    const then = await now(subject);
    await change(sort, { text: 'clean' });
    await change('boards', { tenant: 'a' });
    await change(sort, moving);
    const since = await now(subject);
    await change(sort, { text: 'of a' });
    const history = await request().get(`/boards/1/${sort}/1/history`).set(ofA);
    expect(history.body.data).toMatchObject([{ changes: { text: { before: 'clean', after: 'of a' } } }]);
    expect(history.body.data).toHaveLength(1);
    const asOf = (time: string) => request().get(`/boards/1/${sort}/1?as_of=${time}`).set(ofA);
    expect((await asOf(then)).status).toBe(404);
    expect((await asOf(since)).body.data).toEqual({ id: 1, text: 'clean' });
  });

/** The boards of their keeper, as a query that nobody can read. */
class KeptBoards extends Authorization {
  override concerns({ className }: EntityMetadata): boolean {
    return className === 'Board';
  }

  scopeOf(entity: EntityMetadata) {
    return this.concerns(entity) ? undefined : { conditions: [] };
  }

  override filterModel(): object {
    return { keeper: 'ann' };
  }
}

test("The past below a parent that may have been another's stops the start where nobody says since when", async () => {
  const message = (authorization: AuthorizationRule | undefined, endpoint: () => EndpointOrGroup) =>
    stopped(() => (authorization === undefined ? endpoint() : below(authorization, endpoint())), {
      entities,
    });
  const required = (parent: string) =>
    expect.stringMatching(
      new RegExp(`narrowedBy: is required: rules narrow ${parent}, which the path names`),
    );
  const vein = {
    url: 'boards/:boardId/leaves/:leafId/veins/:id/history',
    modelClass: Vein,
    parent: 'leaf.board',
    readableColumnNames: ['text'],
  } as const;
  const leaves = new RestfulApi({
    ...leaf,
    url: 'boards/:boardId/leaves',
    writeableColumnNames: ['text'],
    history: true,
    searchableColumnNames: [],
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
  });
  const tree = {
    url: 'boards/:aboveId/boards/:id/history',
    modelClass: Board,
    parent: 'above',
    readableColumnNames: ['id'],
  } as const;
  expect([
    await message(tenants, () => new History(leafPast)),
    await message(tenants, () => new Get(leafThen)),
    await message(tenants, () => new Get({ ...leafThen, narrowedBy: [] })),
    await message(tenants, () => leaves),
    await message(new KeptBoards(), () => new History(leafPast)),
    await message(allOf(tenants, new KeptBoards()), () => new History(cardPast)),
    await message(tenants, () => new History(vein)),
    // Whose the record was by itself does not tell whose its board was.
    await message(anyOf(tenants, new OwnRecords('tenant', 'sub')), () => new History(cardPast)),
    await message(new OwnRecords('tenant', 'sub'), () => new Get(cardThen)),
    await message(new OwnRecords('tenant', 'sub'), () => new History(tree)),
  ]).toEqual(Array.from({ length: 10 }, () => required('Board')));
  const sheet = {
    url: 'hidden/:hiddenId/sheets/:id/history',
    modelClass: Sheet,
    parent: 'hidden',
    readableColumnNames: ['text'],
  } as const;
  expect(await message(undefined, () => new History(sheet))).toEqual(required('Hidden'));
});

const starting = service(
  {
    entities,
    endpoints: [
      new History(leafPast),
      new Get(leafThen),
      below(allOf(tenants), new History({ ...cardPast, url: 'all/boards/:boardId/cards/:id/history' })),
      below(
        tenants,
        new History({
          url: 'boards/:aboveId/boards/:id/history',
          modelClass: Board,
          parent: 'above',
          readableColumnNames: ['id'],
        }),
      ),
      below(
        tenants,
        new History({ ...leafPast, url: 'kept/boards/:boardId/leaves/:id/history', narrowedBy: ['board'] }),
      ),
    ],
  },
  once,
);

starting.contract("The past below a parent that is nobody's is whole", async ({ request, save, em }) => {
  await save(Board, { id: 1, tenant: 'b' });
  await save(Leaf, { id: 1, text: 'made', board: 1 });
  await em().nativeUpdate(Board, { id: 1 }, { tenant: 'a' });
  expect((await request().get('/boards/1/leaves/1/history')).body.data).toMatchObject([
    { operation: 'created', changes: { text: { after: 'made' } } },
  ]);
});
