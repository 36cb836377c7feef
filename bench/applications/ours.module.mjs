// This library with everything on: authentication and authorization, validators, casing, envelope, security headers.
import 'reflect-metadata';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  AdvancedSearch,
  Authorization,
  CacheControl,
  Cors,
  Csp,
  defineColumns,
  EmailColumn,
  EndpointsModule,
  Hsts,
  List,
  MaximumValue,
  MinimumValue,
  Public,
  RestfulApi,
  SimpleSearch,
  XContentTypeOptions,
  XFrameOptions,
} from '@nest-endpoints/core';
import { Company, Staff, User } from './entities.mjs';

for (const entity of [User, Staff])
  defineColumns(entity, {
    email: { type: new EmailColumn() },
    age: { validators: [new MinimumValue(0), new MaximumValue(150)] },
  });

class Everyone extends Authorization {
  gate() {
    return true;
  }
}

const readable = [
  'id',
  'email',
  'firstName',
  'lastName',
  'age',
  'companyId',
  'isActive',
  'score',
  'createdAt',
  'updatedAt',
];

const users = {
  modelClass: User,
  readableColumnNames: readable,
  sortableColumnNames: ['id', 'lastName', 'age', 'score', 'createdAt', 'company.name'],
  searchableColumnNames: ['email', 'lastName', 'age', 'isActive', 'score', 'company.city'],
  defaultSortColumnName: 'id',
};

const endpoints = [
  new AdvancedSearch({ ...users, url: 'users/search' }),
  new SimpleSearch({ ...users, url: 'users/pages', pagination: 'keyset', count: 'none' }),
  new RestfulApi({
    ...users,
    url: 'users',
    writeableColumnNames: ['email', 'firstName', 'lastName', 'age', 'companyId', 'isActive', 'score'],
  }),
  new List({
    url: 'staff',
    modelClass: Staff,
    readableColumnNames: readable,
    sortableColumnNames: ['id', 'lastName'],
    defaultSortColumnName: 'id',
  }),
];

/** A module is known by its class; this one has nothing to inject. */
export class Ours {}

export const ours = (clientUrl, authentication = new Public()) => ({
  module: Ours,
  imports: [
    MikroOrmModule.forRoot({
      driver: PostgreSqlDriver,
      clientUrl,
      entities: [Company, User, Staff],
      // Our endpoints take what they need of MikroORM themselves.
      registerRequestContext: false,
    }),
    EndpointsModule.forRoot({
      internalCasing: 'camelCase',
      externalCasing: 'snake_case',
      authentication,
      authorization: new Everyone(),
      securityHeaders: [
        new Hsts(),
        new Cors('https://app.example'),
        new CacheControl(),
        new Csp(),
        new XFrameOptions(),
        new XContentTypeOptions(),
      ],
      cursorSecret: 'a secret of the benchmark, long enough',
    }),
    EndpointsModule.forFeature(endpoints),
  ],
});
