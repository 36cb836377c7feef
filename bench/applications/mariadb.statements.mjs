// SQL by hand, for LIMIT on MariaDB.
import { columns, writeable } from './person.mjs';
import { operators, sqlName } from './statements.mjs';

const selected = columns.map((name) => `u.${name}`).join(', ');
const listOf = (table) =>
  `select ${selected}, (select count(*) from ${table}) from ${table} u order by id limit 50`;

export const statements = {
  select: `select ${selected} from users u where id = ?`,
  unique: `select ${selected} from users u where email = ?`,
  remove: 'delete from users where id = ?',
  insert: `insert into users (${writeable.join(', ')}) values (${writeable.map(() => '?').join(', ')})
    returning ${columns.join(', ')}`,

  /** @param {readonly string[]} sent the columns that are sent; their values come first, then the id */
  update: (sent) =>
    `update users set ${sent.map((name) => `${name} = ?`).join(', ')}, updated_at = utc_timestamp() where id = ?`,

  /** Pages of everything, with their counts. */
  users: listOf('users'),
  staff: listOf('staff'),

  /** The ids of the page come off the index alone; only its rows are read. */
  deepPage: (sort) =>
    `select ${selected}, (select count(*) from users)
     from (select id from users u order by ${sqlName(sort)}, id limit 50 offset ?) page join users u using (id)
     order by ${sqlName(sort)}, id`,

  /** A comparison of rows would not use the index. */
  keysetPage: `select ${selected} from users u where age >= ? and (age > ? or id > ?) order by age, id limit 51`,

  /** The records that meet every condition, at most a page of them, and how many there are. */
  search(conditions, { column: sort, direction }) {
    const columnNames = [sort, ...conditions.map(({ column }) => column)];
    const met = conditions.map(({ column, operator }) => {
      if (!operators.has(operator)) throw new RangeError(`operator ${operator} is unknown`);
      return `${sqlName(column)} ${operator} ?`;
    });
    const joined = columnNames.some((name) => name.startsWith('company.'));
    return `select ${selected}, count(*) over ()
      from users u ${joined ? 'join companies c on c.id = u.company_id' : ''}
      where ${met.join(' and ')} order by ${sqlName(sort)} ${direction === 'desc' ? 'desc' : 'asc'}, u.id limit 50`;
  },
};
