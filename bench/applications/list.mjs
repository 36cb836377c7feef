import { tenantUsers } from '../database/tenant.tables.mjs';
import { byHand, endpoints } from '../load/dialects/endpoints.dialect.mjs';
import { crud } from '../load/dialects/crud.dialect.mjs';
import { feathers, feathersLoop } from '../load/dialects/feathers.dialect.mjs';
import { paginate } from '../load/dialects/paginate.dialect.mjs';
import { asTenant, asTenantOfFeathers } from '../load/tenant.request.mjs';

const byTenant = { users: tenantUsers, asksAs: asTenant, limit: 'limit-tenant' };

/** Cases of applications that are there for one question. */
const ofRoad = ['get', 'create', 'update', 'list1k'];
const ofHooks = ['create', 'update', 'delete'];

/**
 * What is compared, in the order of the tables: each has a module beside this file that exports `start(databaseUrl)` and
 * answers its port.
 *
 * Those with a tenant come first. They are real applications: they verify tokens and remember them, and show the records
 * of one tenant but for the deleted ones, by what each has for that. They have tables of their own, and a LIMIT that does
 * the same. `beside` names the application that has everything but what this one is about; `cases` all that it is asked.
 */
export const applications = {
  'limit-tenant': { title: 'LIMIT (http + pg), tenant', dialect: byHand, ...byTenant },
  'ours-express-tenant': {
    title: 'Nest Endpoints on Express, tenant',
    dialect: endpoints,
    beside: 'ours-express',
    ...byTenant,
  },
  'ours-fastify-tenant': {
    title: 'Nest Endpoints on Fastify, tenant',
    dialect: endpoints,
    beside: 'ours-fastify',
    ...byTenant,
  },
  'fastify-pg-tenant': { title: 'Fastify + pg, by hand, tenant', dialect: byHand, ...byTenant },
  'nest-by-hand-express-tenant': {
    title: 'Nest + MikroORM on Express, by hand, tenant',
    dialect: byHand,
    ...byTenant,
  },
  'nest-by-hand-fastify-tenant': {
    title: 'Nest + MikroORM on Fastify, by hand, tenant',
    dialect: byHand,
    ...byTenant,
  },
  'dataui-crud-tenant': { title: '@dataui/crud + TypeORM, tenant', dialect: crud, ...byTenant },
  'nestjs-paginate-tenant': { title: 'nestjs-paginate + TypeORM, tenant', dialect: paginate, ...byTenant },
  'feathers-tenant': {
    title: 'Feathers + knex, tenant',
    dialect: feathers,
    ...byTenant,
    asksAs: asTenantOfFeathers,
  },
  limit: { title: 'LIMIT (http + pg), open', dialect: byHand },
  'ours-express': { title: 'Nest Endpoints on Express, open', dialect: endpoints },
  'ours-fastify': { title: 'Nest Endpoints on Fastify, open', dialect: endpoints },
  'ours-express-platform': {
    title: 'Nest Endpoints on Express, open, helmet + interceptor',
    dialect: endpoints,
    beside: 'ours-express',
    cases: ofRoad,
  },
  'ours-fastify-platform': {
    title: 'Nest Endpoints on Fastify, open, helmet + interceptor',
    dialect: endpoints,
    beside: 'ours-fastify',
    cases: ofRoad,
  },
  'ours-express-hooks': {
    title: 'Nest Endpoints on Express, open, hooks',
    dialect: endpoints,
    beside: 'ours-express',
    cases: ofHooks,
  },
  'ours-fastify-hooks': {
    title: 'Nest Endpoints on Fastify, open, hooks',
    dialect: endpoints,
    beside: 'ours-fastify',
    cases: ofHooks,
  },
  'fastify-pg': { title: 'Fastify + pg, by hand, open', dialect: byHand },
  'nest-by-hand-express': { title: 'Nest + MikroORM on Express, by hand, open', dialect: byHand },
  'nest-by-hand-fastify': { title: 'Nest + MikroORM on Fastify, by hand, open', dialect: byHand },
  'dataui-crud': { title: '@dataui/crud + TypeORM, open', dialect: crud },
  'nestjs-paginate': { title: 'nestjs-paginate + TypeORM, open', dialect: paginate },
  feathers: { title: 'Feathers + knex, open', dialect: feathers },
};

/** What this library takes for verified tokens, beside the same without: `npm run bench:jwks`. */
export const authenticated = {
  'ours-express-jwks': { title: 'Express, with Jwks', dialect: endpoints },
  'ours-fastify-jwks': { title: 'Fastify, with Jwks', dialect: endpoints },
};

/** Where policies of the database keep tenants apart: `npm run bench:tenants`. */
const policed = {
  'ours-express-rls': { title: 'Nest Endpoints on Express, policies', dialect: endpoints, ...byTenant },
  'ours-fastify-rls': { title: 'Nest Endpoints on Fastify, policies', dialect: endpoints, ...byTenant },
};

/** What writes many records by loops, as applications do it by hand: `npm run bench:bulk`. */
const looped = {
  'fastify-pg-loop': { title: 'Fastify + pg, a loop in a transaction', dialect: endpoints },
  'feathers-loop': { title: 'Feathers + knex, its service in a loop', dialect: feathersLoop },
};

/** What a log of changes costs a write, beside the same without: `npm run bench:changes`. */
const recorded = {
  'ours-express-recorded': { title: 'Nest Endpoints on Express, recorded', dialect: endpoints },
};

/** What a rate limit costs a request, beside the same without: `npm run bench:limits`. */
export const limited = {
  'ours-express-limited': { title: 'Nest Endpoints on Express, MemoryLimits', dialect: endpoints },
  'ours-express-leased': { title: 'Nest Endpoints on Express, PostgresLimits, lease', dialect: endpoints },
  'ours-express-counted': { title: 'Nest Endpoints on Express, PostgresLimits', dialect: endpoints },
};

/** Behind PgBouncer, one instance beside several: `npm run bench:instances`. */
export const pooled = {
  'ours-express-pooled': { title: 'Nest Endpoints on Express, PgBouncer', dialect: endpoints },
};

/** On MariaDB, beside what is written by hand there: `npm run bench:mariadb`. */
export const onMariaDb = {
  'limit-mariadb': { title: 'LIMIT (http + mysql2)', dialect: byHand, limit: 'limit-mariadb' },
  'ours-express-mariadb': {
    title: 'Nest Endpoints on Express',
    dialect: endpoints,
    limit: 'limit-mariadb',
  },
  'ours-express-mariadb-orm': {
    title: 'Nest Endpoints on Express, all through MikroORM',
    dialect: endpoints,
    limit: 'limit-mariadb',
  },
};

export const everyApplication = {
  ...applications,
  ...onMariaDb,
  ...authenticated,
  ...policed,
  ...looped,
  ...recorded,
  ...limited,
  ...pooled,
};

/** The table of users that an application serves. */
export const usersOf = (name) => everyApplication[name].users ?? 'users';

/** The limit that an application is compared with. */
export const limitOf = (name) => everyApplication[name].limit ?? 'limit';

/** The application that has everything but what this one is about, if there is one. */
export const besideOf = (name) => everyApplication[name].beside;

/** True if an application is asked a case. */
export function takes(name, caseName) {
  const { dialect, cases = [caseName] } = everyApplication[name];
  return caseName in dialect.requests && cases.includes(caseName);
}

/** True if an application is asked everything it has an answer to, which its memory after load is told by. */
export const takesAll = (name) => everyApplication[name].cases === undefined;
