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
  'tenant_users.id': { type: 'integer' },
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
    const { name } = this.getOptions(params);
    return mentionsCompany(params.query)
      ? query.join('companies', 'companies.id', `${name}.company_id`)
      : query;
  }
}

const touch = (context) => {
  context.data.updated_at = new Date();
};

/** Where there are tenants: the condition of every statement, and the value of new records. */
const scope = (context) => {
  const { tenant } = context.params;
  if (tenant !== undefined)
    context.params.query = { ...context.params.query, tenant_id: tenant, deleted_at: null };
};
const own = (context) => {
  const { tenant } = context.params;
  if (tenant !== undefined) context.data.tenant_id = tenant;
};

/** A middleware that verifies tokens; services find the tenant in their parameters. */
const authenticated = (tenantOf) => async (context, next) => {
  const tenant = tenantOf(context.headers.authorization);
  context.assert(tenant !== undefined, 401);
  context.feathers = { ...context.feathers, tenant };
  await next();
};

function serveTable(app, path, service) {
  app.use(path, service);
  app.service(path).hooks({
    before: {
      find: [hooks.validateQuery(query), scope],
      get: [scope],
      create: [hooks.validateData(create), own],
      patch: [hooks.validateData(change), touch, scope],
      remove: [scope],
    },
  });
}

/** Writes records one after the other, in one transaction. */
const inOne = (database, records, write) =>
  database.transaction(async (trx) => {
    const written = [];
    for (const record of records) written.push(await write(record, { transaction: { trx } }));
    return written;
  });

/** Many records as applications of Feathers write them: the service for each, in one transaction. */
class Loops {
  constructor(app, database) {
    this.users = () => app.service('users');
    this.database = database;
  }

  create({ records }) {
    return inOne(this.database, records, (record, params) => this.users().create(record, params));
  }

  patch(_id, { records }) {
    return inOne(this.database, records, ({ id, ...changes }, params) =>
      this.users().patch(id, changes, params),
    );
  }
}

function serveLoops(app, database) {
  app.use('users/bulk', new Loops(app, database), { methods: ['create', 'patch'] });
}

/** @param by its tables, and what tells the tenant of a header if there are tenants */
export async function serve(connection, { users, staff, tenantOf, loops = false }) {
  const Model = knex({ client: 'pg', connection, pool: { min: 0, max: 10 } });
  const paginate = { default: 50, max: 200 };
  const app = koa(feathers());
  app.use(errorHandler());
  if (tenantOf !== undefined) app.use(authenticated(tenantOf));
  app.use(bodyParser());
  app.configure(rest());
  if (loops) serveLoops(app, Model);
  serveTable(app, 'users', new Users({ Model, name: users, id: 'id', paginate }));
  serveTable(app, 'staff', new KnexService({ Model, name: staff, id: 'id', paginate }));
  const server = await app.listen(0, '127.0.0.1');
  if (!server.listening) await once(server, 'listening');
  return server.address().port;
}

export const start = (url) => serve(url, { users: 'users', staff: 'staff' });
