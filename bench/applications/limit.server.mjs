// The server of LIMIT, whatever database it asks: Node's own `http`, rows of values, and a serializer for this one table. It
// answers what the benchmark asks, and nothing else.
import { createServer } from 'node:http';
import { complaintsAbout, writeable } from './person.mjs';

/** The statements that are always the same; made when the server starts, with the texts of its tables. */
const namedStatements = ({ sql, named }) => ({
  get: named('get', sql.select),
  unique: named('unique', sql.unique),
  insert: named('insert', sql.insert),
  remove: named('remove', sql.remove),
  users: named('users', sql.users),
  staff: named('staff', sql.staff),
  keyset: named('keyset', sql.keysetPage),
});

let database;
let sql;
let statements;
let yes;

/** The statement of each shape of request, made once. */
const kept = new Map();
const keep = (shape, make) => {
  const found = kept.get(shape);
  if (found !== undefined) return found;
  const made = make();
  kept.set(shape, made);
  return made;
};

const instant = (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}+00:00`;

const person = (row) =>
  `{"id":${row[0]},"email":${JSON.stringify(row[1])},"first_name":${JSON.stringify(row[2])},` +
  `"last_name":${JSON.stringify(row[3])},"age":${row[4]},"company_id":${row[5]},"is_active":${row[6] === yes},` +
  `"score":${row[7]},"created_at":"${instant(row[8])}","updated_at":"${instant(row[9])}"}`;

const success = (data, pagination = '{}') =>
  `{"status":"success","error":"","data":${data},"pagination":${pagination},"input_errors":{}}`;
const refusal = (status, error, complaints = '{}') =>
  `{"status":"${status}","error":"${error}","data":[],"pagination":{},"input_errors":${complaints}}`;

const notFound = [404, refusal('client_error', 'Not Found')];
const inputErrors = (complaints) => [400, refusal('input_errors', '', JSON.stringify(complaints))];

const people = (rows) => {
  let text = '[';
  for (let index = 0; index < rows.length; index += 1) {
    if (index > 0) text += ',';
    text += person(rows[index]);
  }
  return `${text}]`;
};

/** The count is the last value of every row. */
const page = (rows, start) => {
  const total = Number(rows[0]?.[10] ?? 0);
  const next = start + rows.length < total ? `{"start":${start + rows.length}}` : '{}';
  return [200, success(people(rows), `{"number_results":${total},"limit":50,"next_page":${next}}`)];
};

const keysetPage = (rows) => {
  const shown = rows.slice(0, 50);
  const [id, , , , age] = shown.at(-1) ?? [];
  const after = Buffer.from(`[${age},${id}]`).toString('base64url');
  const next = rows.length > 50 ? `{"after":"${after}"}` : '{}';
  return [200, success(people(shown), `{"limit":50,"next_page":${next}}`)];
};

const notAuthenticated = [401, refusal('client_error', 'Not Authenticated')];

async function list(parameters, tenant) {
  const email = parameters.get('email');
  if (email !== null) return page(countless(await rowsOf(statements.unique, [email], tenant)), 0);
  const sort = parameters.get('sort');
  const city = parameters.get('company.city');
  if (city !== null)
    return search(
      {
        where: [{ column: 'company.city', operator: '=', value: city }],
        sort: [{ column: sort }],
      },
      tenant,
    );
  const start = Number(parameters.get('start') ?? 0);
  if (start === 0) return page(await rowsOf(statements.users, [], tenant), 0);
  const deep = keep(`deep ${sort}`, () => database.named(`deep ${sort}`, sql.deepPage(sort)));
  return page(await rowsOf(deep, [start], tenant), start);
}

/** A unique value has one record at most: no need to count. */
const countless = (rows) => rows.map((row) => [...row, rows.length]);

async function search({ where, sort: [sort] }, tenant) {
  const shape = where.reduce(
    (text, { column, operator }) => `${text} ${column} ${operator}`,
    `${sort.column} ${sort.direction}`,
  );
  const statement = keep(shape, () => database.free(sql.search(where, sort)));
  return page(
    await rowsOf(
      statement,
      where.map(({ value }) => value),
      tenant,
    ),
    0,
  );
}

async function nextPage(parameters, tenant) {
  const [age, id] = JSON.parse(Buffer.from(parameters.get('after'), 'base64url').toString());
  return keysetPage(await rowsOf(statements.keyset, database.behind(age, id), tenant));
}

async function create(body, tenant) {
  const complaints = complaintsAbout(body, { isComplete: true });
  if (complaints !== undefined) return inputErrors(complaints);
  const values = writeable.map((name) => body[name]);
  const rows = await written(() => rowsOf(statements.insert, values, tenant));
  return Array.isArray(rows) ? [201, success(person(rows[0]))] : inputErrors(rows);
}

async function update(id, body, tenant) {
  const complaints = complaintsAbout(body, { isComplete: false });
  if (complaints !== undefined) return inputErrors(complaints);
  const names = Object.keys(body);
  const shape = `update ${names.join()}`;
  const statement = keep(shape, () => database.named(shape, sql.update(names)));
  const values = scoped([...names.map((name) => body[name]), id], tenant);
  const rows = await written(() => database.updated(statement, values, statements.get));
  if (!Array.isArray(rows)) return inputErrors(rows);
  return rows.length === 0 ? notFound : [200, success(person(rows[0]))];
}

async function remove(id, tenant) {
  const isRemoved = await database.isRemoved(statements.remove, scoped([id], tenant));
  return isRemoved ? [200, success('{}')] : notFound;
}

async function get(id, tenant) {
  const rows = await rowsOf(statements.get, [id], tenant);
  return rows.length === 0 ? notFound : [200, success(person(rows[0]))];
}

/** Values with the tenant behind them, where there are tenants. */
function scoped(values, tenant) {
  if (tenant !== undefined) values.push(tenant);
  return values;
}

const rowsOf = (statement, values, tenant) => database.rowsOf(statement, scoped(values, tenant));

/** The rows of a write, or the complaint that the database's refusal stands for. */
async function written(write) {
  try {
    return await write();
  } catch (error) {
    if (error.code === database.codes.unique) return { email: 'a record with this value already exists' };
    if (error.code === database.codes.foreign) return { company_id: 'the given record does not exist' };
    throw error;
  }
}

function route(method, url, body, tenant) {
  const [path, query] = url.split('?', 2);
  if (method === 'GET') {
    if (path === '/users') return list(new URLSearchParams(query), tenant);
    if (path === '/staff') return rowsOf(statements.staff, [], tenant).then((rows) => page(rows, 0));
    if (path === '/users/pages') return nextPage(new URLSearchParams(query), tenant);
  }
  if (method === 'POST')
    return path === '/users' ? create(JSON.parse(body), tenant) : search(JSON.parse(body), tenant);
  const id = Number(path.slice('/users/'.length));
  if (!Number.isInteger(id)) return notFound;
  if (method === 'GET') return get(id, tenant);
  return method === 'PATCH' ? update(id, JSON.parse(body), tenant) : remove(id, tenant);
}

/** Tells the tenant of a request, where there are tenants. */
let tenantOf;

function outcomeOf({ method, url, headers }, body) {
  if (tenantOf === undefined) return route(method, url, body);
  const tenant = tenantOf(headers.authorization);
  return tenant === undefined ? notAuthenticated : route(method, url, body, tenant);
}

async function answer(request, response, body) {
  let outcome;
  try {
    outcome = await outcomeOf(request, body);
  } catch (error) {
    outcome = [500, refusal('failure', 'Internal Error')];
    console.error(error);
  }
  const [status, text] = outcome;
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function receive(request, response) {
  if (request.method === 'GET' || request.method === 'DELETE') {
    void answer(request, response);
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => void answer(request, response, body));
}

/**
 * @param of the database: its statements, how they are sent, its codes, and how it writes true; and what tells the tenant of a
 *   header if there are tenants
 */
export async function serveRecords({ tenantOf: tenants, ...of }) {
  database = of;
  ({ sql, yes } = database);
  tenantOf = tenants;
  statements = namedStatements(database);
  const server = createServer(receive);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address().port;
}
