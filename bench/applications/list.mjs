import { tenantUsers } from '../database/tenant.tables.mjs';
import { byHand, endpoints } from '../load/dialects/endpoints.dialect.mjs';
import { crud } from '../load/dialects/crud.dialect.mjs';
import { feathers } from '../load/dialects/feathers.dialect.mjs';
import { paginate } from '../load/dialects/paginate.dialect.mjs';
import { asTenant } from '../load/tenant.request.mjs';

/** What is compared: each has a module beside this file that exports `start(databaseUrl)` and answers its port. */
export const applications = {
  limit: { title: 'LIMIT (http + pg)', dialect: byHand },
  'fastify-pg': { title: 'Fastify + pg, by hand', dialect: byHand },
  'nest-by-hand-express': { title: 'Nest + MikroORM on Express, by hand', dialect: byHand },
  'nest-by-hand-fastify': { title: 'Nest + MikroORM on Fastify, by hand', dialect: byHand },
  'dataui-crud': { title: '@dataui/crud + TypeORM', dialect: crud },
  'nestjs-paginate': { title: 'nestjs-paginate + TypeORM', dialect: paginate },
  feathers: { title: 'Feathers + knex', dialect: feathers },
  'ours-express': { title: 'Nest Endpoints on Express', dialect: endpoints },
  'ours-fastify': { title: 'Nest Endpoints on Fastify', dialect: endpoints },
};

/** What this library takes for verified tokens, beside the same without: `npm run bench:jwks`. */
export const authenticated = {
  'ours-express-jwks': { title: 'Express, with Jwks', dialect: endpoints },
  'ours-fastify-jwks': { title: 'Fastify, with Jwks', dialect: endpoints },
};

const byTenant = { users: tenantUsers, asksAs: asTenant };

/**
 * The real application, and the same limit for it: verified tokens that are remembered, the records of one tenant, no
 * deleted ones. They have tables of their own, so that the open ones' stay what they are: `npm run bench:tenants`.
 */
export const tenants = {
  'limit-tenant': { title: 'LIMIT, tenant', dialect: byHand, ...byTenant },
  'fastify-pg-tenant': { title: 'Fastify + pg, by hand, tenant', dialect: byHand, ...byTenant },
  'ours-express-tenant': { title: 'Nest Endpoints on Express, tenant', dialect: endpoints, ...byTenant },
  'ours-express-rls': { title: 'Nest Endpoints on Express, policies', dialect: endpoints, ...byTenant },
  'ours-fastify-tenant': { title: 'Nest Endpoints on Fastify, tenant', dialect: endpoints, ...byTenant },
  'ours-fastify-rls': { title: 'Nest Endpoints on Fastify, policies', dialect: endpoints, ...byTenant },
};

export const everyApplication = { ...applications, ...authenticated, ...tenants };

/** The table of users that an application serves. */
export const usersOf = (name) => everyApplication[name].users ?? 'users';
