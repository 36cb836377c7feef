// Feathers on Koa with its knex adapter, and its schemas for bodies and queries.
import { once } from 'node:events';
import { feathers } from '@feathersjs/feathers';
import { KnexService } from '@feathersjs/knex';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import { Ajv, getValidator, hooks, querySyntax } from '@feathersjs/schema';
import knex from 'knex';
import { writeable } from './person.mjs';

const text = { type: 'string', minLength: 1, maxLength: 100 };
const sent = {
  email: { type: 'string', maxLength: 255, pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$' },
  first_name: text,
  last_name: text,
  age: { type: 'integer', minimum: 0, maximum: 150 },
  company_id: { type: 'integer' },
  is_active: { type: 'boolean' },
  score: { type: 'number' },
};
const searchable = {
  id: { type: 'integer' },
  ...sent,
  email: { type: 'string' },
  created_at: { type: 'string' },
  'users.id': { type: 'integer' },
  'companies.city': { type: 'string' },
  'companies.name': { type: 'string' },
};

const body = { type: 'object', additionalProperties: false, properties: sent };
const data = new Ajv({ allErrors: true });
const create = getValidator({ $id: 'create', ...body, required: writeable }, data);
const change = getValidator({ $id: 'change', ...body }, data);
/** A query string is text; Feathers' own set-up coerces it, too. */
const query = getValidator(
  { $id: 'query', type: 'object', additionalProperties: false, properties: querySyntax(searchable) },
  new Ajv({ coerceTypes: true }),
);

const mentionsCompany = (query = {}) =>
  [query, query.$sort ?? {}].some((part) => Object.keys(part).some((name) => name.startsWith('companies.')));

class Users extends KnexService {
  createQuery(params) {
    const query = super.createQuery(params);
    return mentionsCompany(params.query)
      ? query.join('companies', 'companies.id', 'users.company_id')
      : query;
  }
}

const touch = (context) => {
  context.data.updated_at = new Date();
};

export async function start(connection) {
  const Model = knex({ client: 'pg', connection, pool: { min: 0, max: 10 } });
  const paginate = { default: 50, max: 200 };
  const app = koa(feathers());
  app.use(errorHandler());
  app.use(bodyParser());
  app.configure(rest());
  app.use('users', new Users({ Model, name: 'users', id: 'id', paginate }));
  app.use('staff', new KnexService({ Model, name: 'staff', id: 'id', paginate }));
  for (const name of ['users', 'staff'])
    app.service(name).hooks({
      before: {
        find: [hooks.validateQuery(query)],
        create: [hooks.validateData(create)],
        patch: [hooks.validateData(change), touch],
      },
    });
  const server = await app.listen(0, '127.0.0.1');
  if (!server.listening) await once(server, 'listening');
  return server.address().port;
}
