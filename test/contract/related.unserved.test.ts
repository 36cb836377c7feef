import { expect, test } from '@jest/globals';
import { defineEntity, p, type EntityName } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Create,
  Get,
  List,
  RestfulApi,
  defineColumns,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';

const Shop = defineEntity({
  name: 'Shop',
  properties: {
    id: p.integer().primary(),
    number: p.integer().unique(),
    offers: () => p.oneToMany(Offer).mappedBy('shop'),
  },
});
const Offer = defineEntity({
  name: 'Offer',
  properties: {
    id: p.integer().primary(),
    shop: () => p.manyToOne(Shop).targetKey('number'),
    seat: () => p.manyToOne(Seat).nullable(),
    guide: () => p.manyToOne(Guide).filters({ retired: false }).nullable(),
    guides: () => p.manyToMany(Guide).pivotEntity(() => Guiding),
  },
});
/** Its key is two columns. */
const Seat = defineEntity({
  name: 'Seat',
  properties: {
    row: p.integer().primary(),
    place: p.integer().primary(),
    offers: () => p.oneToMany(Offer).mappedBy('seat'),
    hall: () => p.manyToOne(Hall),
  },
});
const Hall = defineEntity({
  name: 'Hall',
  properties: {
    id: p.integer().primary(),
    seats: () => p.oneToMany(Seat).mappedBy('hall'),
    spares: () => p.manyToMany(Seat),
  },
});
const Guide = defineEntity({
  name: 'Guide',
  properties: { id: p.integer().primary(), retired: p.boolean() },
  filters: { retired: { name: 'retired', cond: { retired: false } } },
});
const Guiding = defineEntity({
  name: 'Guiding',
  properties: {
    offer: () => p.manyToOne(Offer).primary(),
    guide: () => p.manyToOne(Guide).primary(),
    ended: p.boolean(),
  },
  filters: { ended: { name: 'ended', cond: { ended: false }, default: true } },
});

const entities = [Shop, Offer, Seat, Hall, Guide, Guiding];
const common = { sortableColumnNames: [], defaultSortColumnName: 'id' } as const;

const message = (endpoint: EndpointOrGroup, more: readonly EntityName[] = []): Promise<string> =>
  startUpError({
    entities: [...entities, ...more],
    endpoints: [endpoint],
  });

const reading = (
  names: readonly string[],
  modelClass: EntityName<object> = Offer as never,
): EndpointOrGroup =>
  new List<{ id: number }>({
    ...common,
    url: 'list',
    modelClass: modelClass as never,
    readableColumnNames: names as never,
  });

test('A relation that refers to another column than the key stops the start where it is named', async () => {
  const reason = "cannot be served: it refers to 'number' instead of the key";
  const offers = await message(reading(['shop.number']));
  expect(offers).toContain(`List 'list': readableColumnNames: 'shop.number': Offer.shop ${reason}`);
  const shops = await message(reading(['offers.id'], Shop as never));
  expect(shops).toContain(`List 'list': readableColumnNames: 'offers.id': Shop.offers ${reason}`);
});

test('A relation to an entity with a composite key stops the start where it is named', async () => {
  const reason = 'cannot be served: Seat has a composite key';
  for (const name of ['seat', 'seat.row', 'seatRow'])
    expect(await message(reading([name]))).toContain(`'${name}': Offer.seat ${reason}`);
  expect(await message(reading(['seats.row'], Hall as never))).toContain(`Hall.seats ${reason}`);
  expect(await message(reading(['spares.row'], Hall as never))).toContain(`Hall.spares ${reason}`);
  const search = new AdvancedSearch({
    ...common,
    url: 'search',
    modelClass: Hall,
    readableColumnNames: ['id'],
    searchableColumnNames: ['seats.row'],
  });
  expect(await message(search)).toContain(
    `AdvancedSearch 'search': searchableColumnNames: 'seats.row': Hall.seats`,
  );
  const create = new Create({
    url: 'create',
    modelClass: Offer,
    readableColumnNames: ['id'],
    writeableColumnNames: ['id', 'seatRow'],
  });
  expect(await message(create)).toContain(`Create 'create': writeableColumnNames: Offer.seat ${reason}`);
  const joined = new List({
    ...common,
    url: 'l',
    modelClass: Offer,
    readableColumnNames: ['id'],
    joins: ['seat'],
  });
  expect(await message(joined)).toContain(`List 'l': joins: Offer.seat ${reason}`);
  const where = new List({
    ...common,
    url: 'l',
    modelClass: Offer,
    readableColumnNames: ['id'],
    where: ['seat.row=1'],
  });
  expect(await message(where)).toContain(`List 'l': where: 'seat.row': Offer.seat ${reason}`);
  const overridden = new Get({
    url: 'get/:id',
    modelClass: Offer,
    readableColumnNames: ['id'],
    columnOverrides: { seat: { readableParentColumnNames: ['row'] } },
  });
  expect(await message(overridden)).toContain(`Get 'get/:id': columnOverrides: 'seat': Offer.seat ${reason}`);
});

test('A relation with filters of its own stops the start where its records are named', async () => {
  const reason = 'cannot be served: it has filters of its own';
  expect(await message(reading(['guide.id']))).toContain(`'guide.id': Offer.guide ${reason}`);
  const between = 'cannot be served: its table Guiding has filters';
  for (const name of ['guides.id', 'guideIds'])
    expect(await message(reading([name]))).toContain(`'${name}': Offer.guides ${between}`);
  // The key is a column of the entity itself.
  expect(await message(reading(['guideId', 'shop.id']))).toContain("'shop.id'");
});

const Fact = defineEntity({
  name: 'Fact',
  properties: {
    id: p.integer().primary(),
    subject: () => p.manyToOne([Cat, Dog]),
    animal: () => p.manyToOne(Animal).nullable(),
    figure: () => p.manyToMany(Cat),
  },
});
const Cat = defineEntity({
  name: 'Cat',
  properties: { id: p.integer().primary(), facts: () => p.oneToMany(Fact).mappedBy('subject') },
});
const Dog = defineEntity({ name: 'Dog', properties: { id: p.integer().primary() } });
const Animal = defineEntity({
  name: 'Animal',
  inheritance: 'tpt',
  properties: { id: p.integer().primary() },
});
const Horse = defineEntity({ name: 'Horse', extends: Animal, properties: { hands: p.integer() } });

test('A relation to one of several entities stops the start where it is named', async () => {
  const animals = [Fact, Cat, Dog, Animal, Horse];
  const subject = await message(reading(['subject.id'], Fact as never), animals);
  expect(subject).toContain("'subject.id': Fact.subject cannot be served: it is polymorphic");
  const facts = await message(reading(['facts.id'], Cat as never), animals);
  expect(facts).toContain("'facts.id': Cat.facts cannot be served: it is polymorphic");
});

test('An entity in several tables stops the start, its own endpoint and a relation to it', async () => {
  const animals = [Fact, Cat, Dog, Animal, Horse];
  const animal = await message(reading(['animal.id'], Fact as never), animals);
  expect(animal).toContain("'animal.id': Fact.animal cannot be served: Animal is not stored in one table");
  for (const entity of [Animal, Horse])
    expect(await message(reading(['id'], entity as never), animals)).toContain(
      `List 'list': modelClass: ${entity.meta.className} is not stored in one table`,
    );
});

const Total = defineEntity({
  name: 'Total',
  expression: 'select count(*) as number from shop',
  properties: { number: p.integer() },
});
const Numbered = defineEntity({
  name: 'Numbered',
  view: true,
  expression: 'select id, number from shop',
  properties: { id: p.integer().primary(), number: p.integer() },
});

test('An entity that is a query stops the start, and one that is a view where it would be written', async () => {
  expect(await message(reading(['number'], Total as never), [Total])).toContain(
    "List 'list': modelClass: Total is not stored in one table",
  );
  const api = new RestfulApi({
    ...common,
    url: 'numbered',
    modelClass: Numbered,
    readableColumnNames: ['id'],
    searchableColumnNames: [],
    writeableColumnNames: ['number'],
  });
  expect(await message(api, [Numbered])).toContain(
    'modelClass: MikroORM does not write Numbered, which is a view or readonly',
  );
});

test('defineColumns about a relation that cannot be served says why', async () => {
  const Row = defineEntity({
    name: 'Row',
    properties: { id: p.integer().primary(), seat: () => p.manyToOne(Seat) },
  });
  defineColumns(Row, { seat: { readableParentColumnNames: ['place'] } });
  expect(await message(reading(['id'], Row as never), [Row])).toContain(
    'defineColumns(Row): seat: Row.seat cannot be served: Seat has a composite key',
  );
});
