import { EntitySchema, type EntityName } from '@mikro-orm/core';
import {
  Callable,
  Create,
  Delete,
  Endpoint,
  Get,
  List,
  RestfulApi,
  SimpleSearch,
  Update,
  type ColumnPathOf,
  type CreateOptions,
  type EndpointGroup,
  type GetOptions,
  type ListOptions,
  type OutputContext,
  type RestfulApiOptions,
  type WhereEntry,
} from '@nest-endpoints/core';
import { Author, Book, City, Town } from './mistakes/entities.js';

// Options that are right compile, wherever they come from.

declare const base: string;
declare const region: string;
declare const isLarge: boolean;

// Variables: literal with `as const`, or of the type of the options.

const shown = { modelClass: City, readableColumnNames: ['id', 'name', 'country.name'] } as const;
const declared: GetOptions<Town> = { url: 'towns/:id', modelClass: Town, readableColumnNames: ['name'] };
const paths: readonly ColumnPathOf<Town>[] = ['name', 'country.name'];
const conditions: readonly WhereEntry<Town>[] = ['name = Bonn', { name: 'Bonn' }];
const label = ({ record, entity }: OutputContext<Town>): unknown => [record['name'], entity.population];

export const ofConstant = new Get({ ...shown, url: 'cities/:id' });
export const ofDeclared = new Get(declared);
export const ofSpread = new Get({ ...declared, url: 'other/:id', timeout: 10 });
export const ofPaths = new Get({ url: 'towns/:id', modelClass: Town, readableColumnNames: paths });
export const ofConditions = new Get({ ...declared, where: conditions });
export const ofFunction = new Get({ ...declared, outputMap: label });

// Annotated, and with type arguments.

export function annotated(): Get<Town> {
  return new Get({
    url: 'towns/:id',
    modelClass: Town,
    readableColumnNames: ['name'],
    outputMap: ({ record }) => record.name,
  });
}
export const argued = new Get<Town>({
  url: 'towns/:name',
  modelClass: Town,
  recordLookupColumnName: 'name',
  readableColumnNames: ['name'],
  where: ['name = Bonn'],
});
export const kinds: readonly (Create<Book> | Update<Book> | Delete<Book>)[] = [
  new Create({ modelClass: Book, writeableColumnNames: ['title'], readableColumnNames: ['id'] }),
  new Update({ url: ':id', modelClass: Book, writeableColumnNames: ['title'], readableColumnNames: ['id'] }),
  new Delete({ url: ':id', modelClass: Book }),
];
export const apis: readonly EndpointGroup[] = [
  new RestfulApi({
    ...shown,
    url: 'cities',
    writeableColumnNames: ['name', 'countryCode'],
    sortableColumnNames: ['name'],
    searchableColumnNames: ['country.region'],
    defaultSortColumnName: 'name',
    where: ['country.region = Europe', ({ query }) => query.andWhere({ population: { $gt: 5 } })],
    outputMap: ({ record: { id, name, country } }) => [id, name, country],
  }),
];

// Built by functions, for one entity and for any.

function townOptions(url: string): GetOptions<Town> {
  return { url: `${url}/:id`, modelClass: Town, readableColumnNames: ['name'] };
}

function getOf<E extends object>(modelClass: EntityName<E>, names: readonly ColumnPathOf<E>[]): Get<E> {
  return new Get<E>({ url: `${base}/:id`, modelClass, readableColumnNames: names } as GetOptions<E>);
}

function apiOf<E extends object>(options: RestfulApiOptions<E>): RestfulApi<E> {
  return new RestfulApi<E>({ ...options, readOnly: true });
}

function listOf<E extends object>(options: ListOptions<E>): List<E> {
  return new List<E>({ ...options, maximumLimit: 5 });
}

export const built = new Get(townOptions('towns'));
export const builtForAny = getOf(Town, ['name', 'country.name']);
export const builtLists = [
  listOf<Town>({
    modelClass: Town,
    readableColumnNames: ['name'],
    sortableColumnNames: ['name'],
    defaultSortColumnName: 'name',
  }),
  apiOf<Author>({
    modelClass: Author,
    readableColumnNames: ['code', 'books.title'],
    writeableColumnNames: ['name'],
    sortableColumnNames: ['name'],
    searchableColumnNames: ['name'],
    defaultSortColumnName: 'name',
  }),
];

// Kinds of one's own.

class FrugalGet<E extends object> extends Get<E> {
  constructor(options: GetOptions<E>) {
    super({ ...options, timeout: 100 });
  }
}

class SameGet<E extends object> extends Get<E> {}

class CountedCreate<E extends object> extends Create<E> {
  constructor(
    options: CreateOptions<E>,
    readonly most = 5,
  ) {
    super(options);
  }
}

class TownSearch extends SimpleSearch<Town> {}

export const own = [
  new FrugalGet({ url: 'towns/:id', modelClass: Town, readableColumnNames: ['name'] }),
  new SameGet({ url: 'cities/:id', modelClass: City, readableColumnNames: ['country.name'] }),
  new CountedCreate({ modelClass: Town, writeableColumnNames: ['name'], readableColumnNames: ['id'] }, 7),
  new TownSearch({
    modelClass: Town,
    readableColumnNames: ['name'],
    sortableColumnNames: ['name'],
    searchableColumnNames: ['name'],
    defaultSortColumnName: 'name',
    where: ['name = Bonn'],
  }),
  new RestfulApi({
    ...shown,
    createEndpoint: CountedCreate,
    getEndpoint: FrugalGet,
    updateEndpoint: null,
    writeableColumnNames: [],
    sortableColumnNames: ['name'],
    searchableColumnNames: ['name'],
    defaultSortColumnName: 'name',
  }),
];

// Entities whose types say little.

declare const anything: EntityName<Record<string, unknown>>;
interface Ware {
  id: number;
  name: string;
}
const WareSchema = new EntitySchema<Ware>({
  name: 'Ware',
  properties: { id: { type: 'integer', primary: true }, name: { type: 'string' } },
});

export const ofAnything = new Get({
  url: 'x/:whatever',
  modelClass: anything,
  readableColumnNames: ['whatever'],
  where: ['whatever = 5'],
});
export const ofSchema = new Get({
  url: 'wares/:id',
  modelClass: WareSchema,
  readableColumnNames: ['name'],
  where: ['name = x'],
  outputMap: ({ record: { name }, entity }) => [name, entity.id],
});

// Urls: a group may have the parameter, others may stand beside it, and what is not literal is left to the start.

export const urls = [
  new Get({ ...shown, url: 'label' }),
  new Get({ ...shown, url: '/countries/{country}/cities/{id}/' }),
  new Get({ ...shown, url: base }),
  new Get({ ...shown, url: `${base}/:id` }),
  new Get({ ...shown, url: isLarge ? 'large/:id' : 'small/:id' }),
  new Get({ ...shown, url: 'cities/:name', recordLookupColumnName: 'name' }),
  new Get({ ...shown, url: 'cities/:name', recordLookupColumnName: isLarge ? 'name' : 'id' }),
];

// @ts-expect-error -- a url that is built is checked as far as it is known
export const unfitUrl = new Get({ ...shown, url: `${base}/:code` });

// Strings of `where`, in every spelling; tables of `joins` are not the compiler's.

export const filtered = new List({
  ...shown,
  sortableColumnNames: ['name'],
  defaultSortColumnName: 'name',
  joins: ['country', 'LEFT JOIN trip ON trip.city_id=city.id'],
  where: [
    'population>=5',
    ' name like a%',
    'country.region in (Europe, Asia)',
    'countryCode != FR',
    'country is not null',
    'trip.id is null',
    `country.region = ${region}`,
    region,
    { $or: [{ population: { $lt: 5 } }, { name: { $in: ['Bonn'] } }] },
    ({ query, routingData }) => query.andWhere({ name: routingData['name'] ?? '' }),
    async ({ em }) => ({ population: { $gt: await em.count(City) } }),
  ],
});

export const unfitWhere = new List({
  ...shown,
  sortableColumnNames: ['name'],
  defaultSortColumnName: 'name',
  // @ts-expect-error -- text that is built is checked as far as it is known
  where: [`country.regoin = ${region}`, ({ query }) => query],
});

// The record of an outputMap has the readable columns, wherever the list stands.

export const mapped = new Get({
  url: 'cities/:id',
  outputMap: async ({ record, entity, em }) => [record.country, entity.name, await em.count(City)],
  modelClass: City,
  readableColumnNames: ['country.name', 'country.region'],
});

export const mappedFromPaths = new Get({
  url: 'towns/:id',
  modelClass: Town,
  readableColumnNames: paths,
  outputMap: ({ record: { name, population } }) => [name, population],
});

export const unreadable = new Get({
  ...shown,
  url: 'cities/:id',
  // @ts-expect-error -- latitude is not readable
  outputMap: ({ record: { latitude } }) => [latitude],
});

// Callables and methods that name columns of an entity, or of none.

export const calls = [
  new Callable({ toCall: () => [] }),
  new Callable({ modelClass: anything, readableColumnNames: ['whatever'], toCall: () => [] }),
  new Callable({
    modelClass: WareSchema,
    readableColumnNames: ['name'],
    outputMap: ({ record: { name }, entity }) => [name, entity.id],
    toCall: ({ em }) => em.find(WareSchema, {}),
  }),
  new Callable({
    url: 'books/:title',
    modelClass: Book,
    readableColumnNames: ['title', 'author.name'],
    outputMap: ({ record: { title, author } }) => [title, author],
    toCall: ({ title, em }) => em.find(Book, { title }),
  }),
];

export class Towns {
  @Endpoint({
    url: 'towns',
    modelClass: Town,
    readableColumnNames: ['name'],
    outputMap: ({ record: { name } }) => name,
  })
  list(): readonly Town[] {
    return [];
  }
}
