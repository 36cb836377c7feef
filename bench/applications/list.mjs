import { tenantUsers } from '../database/tenant.tables.mjs';
import { byHand, endpoints } from '../load/dialects/endpoints.dialect.mjs';
import { crud } from '../load/dialects/crud.dialect.mjs';
import { feathers } from '../load/dialects/feathers.dialect.mjs';
import { paginate } from '../load/dialects/paginate.dialect.mjs';
import { asTenant } from '../load/tenant.request.mjs';

const byTenant = { users: tenantUsers, asksAs: asTenant, limit: 'limit-tenant' };

/**
 * What is compared: each has a module beside this file that exports `start(databaseUrl)` and answers its port. Those with
 * a tenant verify tokens and remember them, and show the records of one tenant but for the deleted ones. They have tables
 * of their own, and a LIMIT that does the same, so that the open ones' figures stay what they are.
 */
export const applications = {
  limit: { title: 'LIMIT (http + pg)', dialect: byHand },
  'limit-tenant': { title: 'LIMIT, tenant', dialect: byHand, ...byTenant },
  'fastify-pg': { title: 'Fastify + pg, by hand', dialect: byHand },
  'fastify-pg-tenant': { title: 'Fastify + pg, by hand, tenant', dialect: byHand, ...byTenant },
  'nest-by-hand-express': { title: 'Nest + MikroORM on Express, by hand', dialect: byHand },
  'nest-by-hand-express-tenant': {
    title: 'Nest + MikroORM on Express, by hand, tenant',
    dialect: byHand,
    ...byTenant,
  },
  'nest-by-hand-fastify': { title: 'Nest + MikroORM on Fastify, by hand', dialect: byHand },
  'nest-by-hand-fastify-tenant': {
    title: 'Nest + MikroORM on Fastify, by hand, tenant',
    dialect: byHand,
    ...byTenant,
  },
  'dataui-crud': { title: '@dataui/crud + TypeORM', dialect: crud },
  'nestjs-paginate': { title: 'nestjs-paginate + TypeORM', dialect: paginate },
  feathers: { title: 'Feathers + knex', dialect: feathers },
  'ours-express-tenant': { title: 'Nest Endpoints on Express, tenant', dialect: endpoints, ...byTenant },
  'ours-fastify-tenant': { title: 'Nest Endpoints on Fastify, tenant', dialect: endpoints, ...byTenant },
  'ours-express': { title: 'Nest Endpoints on Express', dialect: endpoints },
  'ours-fastify': { title: 'Nest Endpoints on Fastify', dialect: endpoints },
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

export const everyApplication = { ...applications, ...authenticated, ...policed };

/** The table of users that an application serves. */
export const usersOf = (name) => everyApplication[name].users ?? 'users';

/** The limit that an application is compared with. */
export const limitOf = (name) => everyApplication[name].limit ?? 'limit';
