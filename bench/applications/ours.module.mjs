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
  recommendedOptions,
  RestfulApi,
  SimpleSearch,
  XContentTypeOptions,
  XFrameOptions,
} from '@nest-endpoints/core';
import { Company, Staff, User } from './entities.mjs';

const columns = {
  email: { type: new EmailColumn() },
  age: { validators: [new MinimumValue(0), new MaximumValue(150)] },
};

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

const endpointsOf = ({ User, Staff }, lifeCycle) => {
  const users = {
    modelClass: User,
    readableColumnNames: readable,
    sortableColumnNames: ['id', 'lastName', 'age', 'score', 'createdAt', 'company.name'],
    searchableColumnNames: ['email', 'lastName', 'age', 'isActive', 'score', 'company.city'],
    defaultSortColumnName: 'id',
  };
  return [
    new AdvancedSearch({ ...users, url: 'users/search' }),
    new SimpleSearch({ ...users, url: 'users/pages', pagination: 'keyset', count: 'none' }),
    new RestfulApi({
      ...users,
      url: 'users',
      bulk: ['create', 'update'],
      writeableColumnNames: ['email', 'firstName', 'lastName', 'age', 'companyId', 'isActive', 'score'],
      ...lifeCycle,
    }),
    new List({
      url: 'staff',
      modelClass: Staff,
      readableColumnNames: readable,
      sortableColumnNames: ['id', 'lastName'],
      defaultSortColumnName: 'id',
    }),
  ];
};

/** A module is known by its class; this one has nothing to inject. */
export class Ours {}

const open = { User, Staff };

const postgresql = { ...recommendedOptions(), driver: PostgreSqlDriver };

/**
 * @param database options of MikroORM for its database
 * @param further entities beside those of the endpoints
 * @param lifeCycle functions of the endpoints that write
 * @param root options of `forRoot` that differ from one application to the other
 */
export function ours(
  clientUrl,
  { database = postgresql, entities = open, further = [], lifeCycle = {}, ...root } = {},
) {
  for (const entity of [entities.User, entities.Staff]) defineColumns(entity, columns);
  return {
    module: Ours,
    imports: [
      MikroOrmModule.forRoot({
        ...database,
        clientUrl,
        entities: [Company, entities.User, entities.Staff, ...further],
        // Our endpoints take what they need of MikroORM themselves.
        registerRequestContext: false,
      }),
      EndpointsModule.forRoot({
        externalCasing: 'snake_case',
        authentication: new Public(),
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
        ...root,
      }),
      EndpointsModule.forFeature(endpointsOf(entities, lifeCycle)),
    ],
  };
}
