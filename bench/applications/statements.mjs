// SQL by hand, for LIMIT and for Fastify with pg.
import { columns, writeable } from './person.mjs';

const selected = columns.map((name) => `u.${name}`).join(', ');
const returned = columns.join(', ');
const placeholders = (from, count) =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ');

const toCompany = 'join companies c on c.id = u.company_id';

/** The columns of searches and sorts, by their names on the wire. */
const sqlNames = new Map([
  ...columns.map((name) => [name, `u.${name}`]),
  ['company.city', 'c.city'],
  ['company.name', 'c.name'],
]);

const sqlName = (name) => {
  const found = sqlNames.get(name);
  if (found === undefined) throw new RangeError(`column ${name} is unknown`);
  return found;
};

export const select = `select ${selected} from users u where id = $1`;
export const unique = `select ${selected} from users u where email = $1`;
export const remove = 'delete from users where id = $1';
export const insert = `insert into users (${writeable.join(', ')})
  values (${placeholders(1, writeable.length)}) returning ${returned}`;

/** @param {readonly string[]} names the columns that are sent; their values come first, the id last */
export const update = (names) =>
  `update users set ${names.map((name, index) => `${name} = $${index + 1}`).join(', ')}, updated_at = now()
   where id = $${names.length + 1} returning ${returned}`;

/** A page of everything, with its count. */
export const list = (table) =>
  `select ${selected}, (select count(*) from ${table}) from ${table} u order by id limit 50`;

/** The ids of the page come off the index alone; only its rows are read. */
export const deepPage = (sort) =>
  `select ${selected}, (select count(*) from users)
   from (select id from users u order by ${sqlName(sort)}, id limit 50 offset $1) page join users u using (id)
   order by ${sqlName(sort)}, id`;

/** What most write instead. */
export const plainDeepPage = (sort) =>
  `select ${selected}, (select count(*) from users) from users u order by ${sqlName(sort)}, id limit 50 offset $1`;

export const keysetPage = `select ${selected} from users u where (age, id) > ($1, $2) order by age, id limit 51`;

const operators = new Set(['=', '!=', '<', '<=', '>', '>=']);

/** The records that meet every condition, at most a page of them, and how many there are. */
export function search(conditions, { column: sort, direction }) {
  const names = [sort, ...conditions.map(({ column }) => column)];
  const met = conditions.map(({ column, operator }, index) => {
    if (!operators.has(operator)) throw new RangeError(`operator ${operator} is unknown`);
    return `${sqlName(column)} ${operator} $${index + 1}`;
  });
  return `select ${selected}, count(*) over ()
    from users u ${names.some((name) => name.startsWith('company.')) ? toCompany : ''}
    where ${met.join(' and ')} order by ${sqlName(sort)} ${direction === 'desc' ? 'desc' : 'asc'}, u.id limit 50`;
}
