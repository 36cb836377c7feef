import { byHand, endpoints } from '../load/dialects/endpoints.dialect.mjs';
import { crud } from '../load/dialects/crud.dialect.mjs';
import { feathers } from '../load/dialects/feathers.dialect.mjs';
import { paginate } from '../load/dialects/paginate.dialect.mjs';

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

export const everyApplication = { ...applications, ...authenticated };
