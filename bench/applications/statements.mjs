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

export const sqlName = (name) => {
  const found = sqlNames.get(name);
  if (found === undefined) throw new RangeError(`column ${name} is unknown`);
  return found;
};

export const operators = new Set(['=', '!=', '<', '<=', '>', '>=']);

/** Statements over everybody's records. */
const everybody = { users: 'users', staff: 'staff', and: () => '', where: () => '', fill: [] };

/**
 * Statements over the live records of one tenant, whose parameter is always the last one; a new record gets it, too.
 * `at` is the number of that parameter.
 */
export const ofTenant = {
  users: 'tenant_users',
  staff: 'tenant_staff',
  and: (at) => `and tenant_id = $${at} and deleted_at is null`,
  where: (at) => `where tenant_id = $${at} and deleted_at is null`,
  fill: ['tenant_id'],
};

export function statementsOf({ users, staff, and, where, fill } = everybody) {
  const names = [...writeable, ...fill];
  const countOf = (table, at) => `(select count(*) from ${table} ${where(at)})`;
  const list = (table) =>
    `select ${selected}, ${countOf(table, 1)} from ${table} u ${where(1)} order by id limit 50`;
  return {
    select: `select ${selected} from ${users} u where id = $1 ${and(2)}`,
    unique: `select ${selected} from ${users} u where email = $1 ${and(2)}`,
    remove: `delete from ${users} where id = $1 ${and(2)}`,
    insert: `insert into ${users} (${names.join(', ')})
      values (${placeholders(1, names.length)}) returning ${returned}`,

    /** @param {readonly string[]} sent the columns that are sent; their values come first, then the id */
    update: (sent) =>
      `update ${users} set ${sent.map((name, index) => `${name} = $${index + 1}`).join(', ')}, updated_at = now()
       where id = $${sent.length + 1} ${and(sent.length + 2)} returning ${returned}`,

    /** Pages of everything, with their counts. */
    users: list(users),
    staff: list(staff),

    /** The ids of the page come off the index alone; only its rows are read. */
    deepPage: (sort) =>
      `select ${selected}, ${countOf(users, 2)}
       from (select id from ${users} u ${where(2)} order by ${sqlName(sort)}, id limit 50 offset $1) page
       join ${users} u using (id)
       order by ${sqlName(sort)}, id`,

    /** What most write instead. */
    plainDeepPage: (sort) =>
      `select ${selected}, ${countOf(users, 2)} from ${users} u ${where(2)}
       order by ${sqlName(sort)}, id limit 50 offset $1`,

    keysetPage: `select ${selected} from ${users} u where (age, id) > ($1, $2) ${and(3)} order by age, id limit 51`,

    /** The records that meet every condition, at most a page of them, and how many there are. */
    search(conditions, { column: sort, direction }) {
      const columnNames = [sort, ...conditions.map(({ column }) => column)];
      const met = conditions.map(({ column, operator }, index) => {
        if (!operators.has(operator)) throw new RangeError(`operator ${operator} is unknown`);
        return `${sqlName(column)} ${operator} $${index + 1}`;
      });
      return `select ${selected}, count(*) over ()
        from ${users} u ${columnNames.some((name) => name.startsWith('company.')) ? toCompany : ''}
        where ${met.join(' and ')} ${and(conditions.length + 1)}
        order by ${sqlName(sort)} ${direction === 'desc' ? 'desc' : 'asc'}, u.id limit 50`;
    },
  };
}
