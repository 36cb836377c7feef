// Fastify and pg by hand, the way their documentation shows them: schemas for bodies and answers, plain queries.
import Fastify from 'fastify';
import pg from 'pg';
import { columns, writeable } from './person.mjs';
import { statementsOf } from './statements.mjs';

const text = { type: 'string', minLength: 1, maxLength: 100 };
const body = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email: { type: 'string', maxLength: 255, pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$' },
    first_name: text,
    last_name: text,
    age: { type: 'integer', minimum: 0, maximum: 150 },
    company_id: { type: 'integer' },
    is_active: { type: 'boolean' },
    score: { type: 'number' },
  },
};

const types = {
  id: 'integer',
  age: 'integer',
  company_id: 'integer',
  is_active: 'boolean',
  score: 'number',
};
const instants = new Set(['created_at', 'updated_at']);
const person = {
  type: 'object',
  properties: Object.fromEntries(
    columns.map((name) => [
      name,
      instants.has(name) ? { type: 'string', format: 'date-time' } : { type: types[name] ?? 'string' },
    ]),
  ),
};

const envelope = (data) => ({
  type: 'object',
  properties: {
    status: { type: 'string' },
    error: { type: 'string' },
    data,
    pagination: { type: 'object', additionalProperties: true },
    input_errors: { type: 'object', additionalProperties: { type: 'string' } },
  },
});
const one = { '2xx': envelope(person) };
const many = { '2xx': envelope({ type: 'array', items: person }) };

const success = (data, pagination = {}) => ({
  status: 'success',
  error: '',
  data,
  pagination,
  input_errors: {},
});
const refusal = (status, error, complaints = {}) => ({
  status,
  error,
  data: [],
  pagination: {},
  input_errors: complaints,
});

const page = (rows, total, start) =>
  success(rows, {
    number_results: total,
    limit: 50,
    next_page: start + rows.length < total ? { start: start + rows.length } : {},
  });

const counted = (rows, start = 0) => page(rows, Number(rows[0]?.count ?? 0), start);

const keysetPage = (rows) => {
  const shown = rows.slice(0, 50);
  const { age, id } = shown.at(-1) ?? {};
  const after = Buffer.from(JSON.stringify([age, id])).toString('base64url');
  return success(shown, { limit: 50, next_page: rows.length > 50 ? { after } : {} });
};

const found = (reply, rows) =>
  rows.length === 0 ? reply.code(404).send(refusal('client_error', 'Not Found')) : success(rows[0]);

/** What the database refuses is the client's mistake, too. */
const refusals = {
  23505: { email: 'a record with this value already exists' },
  23503: { company_id: 'the given record does not exist' },
};

function answerErrors(app) {
  app.setErrorHandler((error, _request, reply) => {
    if (error.validation !== undefined) {
      const complaints = error.validation.map(({ instancePath, params, message }) => [
        instancePath.slice(1) || params.missingProperty || params.additionalProperty,
        message,
      ]);
      return reply.code(400).send(refusal('input_errors', '', Object.fromEntries(complaints)));
    }
    const complaints = refusals[error.code];
    if (complaints !== undefined) return reply.code(400).send(refusal('input_errors', '', complaints));
    console.error(error);
    return reply.code(500).send(refusal('failure', 'Internal Error'));
  });
}

/** Values with the tenant behind them, where there are tenants. */
const scoped = (values, { tenant }) => (tenant === undefined ? values : [...values, tenant]);

function lists(app, pool, sql) {
  app.get('/staff', { schema: { response: many } }, async (request) => {
    const { rows } = await pool.query(sql.staff, scoped([], request));
    return counted(rows);
  });
  app.get('/users', { schema: { response: many } }, async (request) => {
    const { query } = request;
    const { email, sort, start = 0 } = query;
    const city = query['company.city'];
    if (email !== undefined) {
      const { rows } = await pool.query(sql.unique, scoped([email], request));
      return page(rows, rows.length, 0);
    }
    if (city !== undefined) {
      const where = [{ column: 'company.city', operator: '=', value: city }];
      const { rows } = await pool.query(sql.search(where, { column: sort }), scoped([city], request));
      return counted(rows);
    }
    const { rows } = await (sort === undefined
      ? pool.query(sql.users, scoped([], request))
      : pool.query(sql.plainDeepPage(sort), scoped([start], request)));
    return counted(rows, Number(start));
  });
  app.get('/users/pages', { schema: { response: many } }, async (request) => {
    const after = JSON.parse(Buffer.from(request.query.after, 'base64url').toString());
    const { rows } = await pool.query(sql.keysetPage, scoped(after, request));
    return keysetPage(rows);
  });
  app.post('/users/search', { schema: { response: many } }, async (request) => {
    const { where, sort } = request.body;
    const values = where.map(({ value }) => value);
    const { rows } = await pool.query(sql.search(where, sort[0]), scoped(values, request));
    return counted(rows);
  });
}

function records(app, pool, sql) {
  app.get('/users/:id', { schema: { response: one } }, async (request, reply) => {
    const { rows } = await pool.query(sql.select, scoped([request.params.id], request));
    return found(reply, rows);
  });
  const complete = { ...body, required: writeable };
  app.post('/users', { schema: { body: complete, response: one } }, async (request, reply) => {
    const values = writeable.map((name) => request.body[name]);
    const { rows } = await pool.query(sql.insert, scoped(values, request));
    reply.code(201);
    return success(rows[0]);
  });
  app.patch('/users/:id', { schema: { body, response: one } }, async (request, reply) => {
    const names = Object.keys(request.body);
    const values = names.map((name) => request.body[name]);
    const { rows } = await pool.query(sql.update(names), scoped([...values, request.params.id], request));
    return found(reply, rows);
  });
  app.delete('/users/:id', async (request, reply) => {
    const { rowCount } = await pool.query(sql.remove, scoped([request.params.id], request));
    return rowCount === 0 ? reply.code(404).send(refusal('client_error', 'Not Found')) : success({});
  });
}

/** Many records as Directus writes them: one after the other in one transaction. */
function loops(app, pool, sql) {
  const complete = { ...body, required: writeable };
  const changed = { ...body, properties: { id: { type: 'integer' }, ...body.properties }, required: ['id'] };
  const listOf = (items) => ({ type: 'object', properties: { records: { type: 'array', items } } });

  async function each(list, write) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const written = [];
      for (const record of list) written.push((await write(client, record)).rows[0]);
      await client.query('commit');
      return success(written);
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  app.post('/users/bulk', { schema: { body: listOf(complete), response: many } }, (request, reply) => {
    reply.code(201);
    return each(request.body.records, (client, record) =>
      client.query(
        sql.insert,
        writeable.map((name) => record[name]),
      ),
    );
  });
  app.patch('/users/bulk', { schema: { body: listOf(changed), response: many } }, (request) =>
    each(request.body.records, (client, { id, ...changes }) => {
      const names = Object.keys(changes);
      return client.query(sql.update(names), [...names.map((name) => changes[name]), id]);
    }),
  );
}

function authenticate(app, tenantOf) {
  app.decorateRequest('tenant');
  app.addHook('onRequest', async (request, reply) => {
    request.tenant = tenantOf(request.headers.authorization);
    if (request.tenant === undefined) reply.code(401).send(refusal('client_error', 'Not Authenticated'));
  });
}

/** @param by the texts of its statements, and what tells the tenant of a header if there are tenants */
export async function serve(connectionString, { sql, tenantOf, hasLoops = false }) {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const app = Fastify({
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
  });
  answerErrors(app);
  if (tenantOf !== undefined) authenticate(app, tenantOf);
  lists(app, pool, sql);
  records(app, pool, sql);
  if (hasLoops) loops(app, pool, sql);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server.address().port;
}

export const start = (connectionString) => serve(connectionString, { sql: statementsOf() });
