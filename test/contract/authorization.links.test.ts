import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords, TenantRecords } from '@nest-endpoints/auth';
import { Get, RestfulApi, SimpleSearch, softDelete, Update } from '@nest-endpoints/core';
import { success, expectAnswer } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Role = defineEntity({
  name: 'Role',
  properties: { id: p.integer().primary(), name: p.string() },
});

/** The rows between people and roles, each of one tenant. */
const Membership = defineEntity({
  name: 'Membership',
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    person: () => p.manyToOne(Person),
    role: () => p.manyToOne(Role),
  },
});

/** Rows that one person sees. */
const Favourite = defineEntity({
  name: 'Favourite',
  properties: {
    id: p.integer().primary(),
    owner: p.string(),
    person: () => p.manyToOne(Person),
    role: () => p.manyToOne(Role),
  },
});

/** Rows that are deleted by a mark. */
const Loan = defineEntity({
  name: 'Loan',
  properties: {
    id: p.integer().primary(),
    deletedAt: p.datetime().nullable(),
    person: () => p.manyToOne(Person),
    role: () => p.manyToOne(Role),
  },
});
softDelete(Loan, { columnName: 'deletedAt' });

const Person = defineEntity({
  name: 'Person',
  properties: {
    id: p.integer().primary(),
    owner: p.string(),
    roles: () => p.manyToMany(Role).pivotEntity(() => Membership),
    favourites: () => p.manyToMany(Role).pivotEntity(() => Favourite),
    loans: () => p.manyToMany(Role).pivotEntity(() => Loan),
  },
});

const entities = [Role, Membership, Favourite, Loan, Person];

class OwnFavourites extends OwnRecords {
  override concerns(entity: { readonly class: unknown }): boolean {
    return entity.class === Favourite.class;
  }
}

const readableColumnNames = ['id', 'roleIds', 'roles.name', 'favouriteIds', 'loanIds'] as const;
const people = {
  modelClass: Person,
  readableColumnNames,
  authentication: new Claims(),
  authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
};
const searchable = {
  searchableColumnNames: ['roles.name', 'favourites.name', 'loans.name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities,
    endpoints: [
      new Get({ ...people, url: 'people/:id' }),
      new SimpleSearch({ ...people, ...searchable, url: 'people' }),
      new Get({ ...people, url: 'own/:id', authorization: new OwnFavourites('owner', 'sub') }),
      new RestfulApi({
        modelClass: Loan,
        url: 'loans',
        readableColumnNames: ['id'],
        writeableColumnNames: [],
        searchableColumnNames: ['id'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyDatabase,
);

const as = (claims: object) => ({ 'X-Claims': JSON.stringify(claims) });

const seed = async (subject: Subject): Promise<void> => {
  for (const [id, name] of ['reader', 'owner'].entries()) await subject.save(Role, { id: id + 1, name });
  await subject.save(Person, { id: 1, owner: 'ann' });
  const between = { person: 1, role: 1 };
  const other = { person: 1, role: 2 };
  await subject.save(Membership, { ...between, id: 1, tenant: 'a' });
  await subject.save(Membership, { ...other, id: 2, tenant: 'b' });
  await subject.save(Favourite, { ...between, id: 1, owner: 'ann' });
  await subject.save(Favourite, { ...other, id: 2, owner: 'ben' });
  await subject.save(Loan, { ...between, id: 1 });
  await subject.save(Loan, { ...other, id: 2 });
};

contract('Members of a list are those whose rows between the two sides are to be seen', async (subject) => {
  const { request } = subject;
  await seed(subject);
  const headers = as({ tenant: 'a', sub: 'ann' });
  const shown = {
    id: 1,
    role_ids: [1],
    roles: [{ name: 'reader' }],
    favourite_ids: [1, 2],
    loan_ids: [1, 2],
  };
  expectAnswer(await request().get('/people/1').set(headers), 200, success(shown));
  expect((await request().delete('/loans/2')).status).toBe(200);
  expectAnswer(await request().get('/people/1').set(headers), 200, success({ ...shown, loan_ids: [1] }));
  const own = { ...shown, role_ids: [1, 2], roles: [{ name: 'reader' }, { name: 'owner' }] };
  expectAnswer(
    await request().get('/own/1').set(headers),
    200,
    success({ ...own, favourite_ids: [1], loan_ids: [1] }),
  );
});

contract('Nobody is found by a row between two sides that is not to be seen', async (subject) => {
  const { request } = subject;
  await seed(subject);
  await request().delete('/loans/2');
  const found = async (query: object, tenant = 'a') => {
    const { body } = await request().get('/people').query(query).set(as({ tenant }));
    return [body.status, (body.data as unknown[]).length];
  };
  expect(await found({ 'roles.name': 'reader' })).toEqual(['success', 1]);
  expect(await found({ 'roles.name': 'owner' })).toEqual(['success', 0]);
  expect(await found({ 'roles.name': 'owner' }, 'b')).toEqual(['success', 1]);
  expect(await found({ 'loans.name': 'reader' })).toEqual(['success', 1]);
  expect(await found({ 'loans.name': 'owner' })).toEqual(['success', 0]);
});

test('A list whose rows are not all to be seen cannot be written', async () => {
  const update = { modelClass: Person, url: 'people/:id', readableColumnNames: ['id'] } as const;
  const authentication = new Claims();
  const message = (more: object, root = {}): Promise<string> =>
    startUpError({
      entities,
      root,
      endpoints: [new Update({ ...update, authentication, ...more } as never)],
    });
  const of = (name: string) => ({ writeableColumnNames: [name] });
  const problem = "Update 'people/:id': writeableColumnNames:";
  const remedy = 'so they need endpoints of their own';
  const ruled = (name: string, entity: string) =>
    `${problem} '${name}' cannot be written: rules hide ${entity} records, ${remedy}`;
  const tenants = new TenantRecords({ columnName: 'tenant', claim: 'tenant' });
  expect(await message({ ...of('roleIds'), authorization: tenants })).toBe(ruled('roleIds', 'Membership'));
  expect(await message(of('roleIds'), { partition: { column: 'tenant', value: () => 'a' } })).toBe(
    ruled('roleIds', 'Membership'),
  );
  const own = new OwnFavourites('owner', 'sub');
  expect(await message({ ...of('favouriteIds'), authorization: own })).toBe(
    ruled('favouriteIds', 'Favourite'),
  );
  expect(await message(of('loanIds'))).toBe(
    `${problem} 'loanIds' cannot be written: Loan records are deleted by a mark, ${remedy}`,
  );
  expect(
    await message({
      ...of('id'),
      authorization: tenants,
      writeableRelations: { roles: { operations: ['link'] } },
    }),
  ).toBe(`Update 'people/:id': writeableRelations: 'roles': rules hide Membership records, ${remedy}`);
});
