// The MariaDB of a run with the records that every application serves; those of `tables.mjs`, as MariaDB makes them.
import { readFileSync } from 'node:fs';
import mysql from 'mysql2/promise';
import { startMariaDb } from './mariadb.mjs';
import { spread } from './tables.mjs';

/** Far from the ids that MariaDB gives to what is created. */
const firstDeletable = 1_000_000_000;

const microsecondsPerTick = 10_000;

const people = (table) => `create table ${table} (
  id int auto_increment primary key,
  email varchar(255) not null unique,
  first_name varchar(100) not null,
  last_name varchar(100) not null,
  age int not null,
  company_id int not null references companies (id),
  is_active tinyint(1) not null,
  score double not null,
  created_at datetime not null default utc_timestamp(),
  updated_at datetime not null default utc_timestamp()
)`;

const companies = `create table companies (
  id int auto_increment primary key,
  name varchar(100) not null unique,
  city varchar(100) not null
)`;

const hash = (salt, size) => `(crc32(concat(seq, ' ', ${salt})) % ${Math.ceil(size)})`;

const fillPeople = (table, { from, count, all }) => {
  const { companies, lastNames, scores } = spread(all);
  return `insert into ${table}
      (id, email, first_name, last_name, age, company_id, is_active, score, created_at, updated_at)
    select seq, concat('person', seq, '@example.com'),
      elt(1 + ${hash(1, 8)}, 'Ada', 'Björn', 'Chloé', 'Dmitri', 'Emeka', 'Fatima', 'Grace', 'Hiro'),
      concat('Name ', ${hash(2, lastNames)}), 18 + ${hash(3, 60)}, 1 + ${hash(4, companies)}, ${hash(5, 10)} <> 0,
      ${hash(6, scores * 100)} / 100e0,
      timestampadd(second, (seq % 10000000) * 37, '2020-01-01'), timestampadd(second, (seq % 10000000) * 7, '2024-01-01')
    from seq_${from}_to_${from + count - 1}`;
};

const tables = (records) => [
  companies,
  people('users'),
  people('staff'),
  `insert into companies (id, name, city)
     select seq, concat('Company ', seq), concat('City ', seq % ${spread(records).cities})
     from seq_1_to_${spread(records).companies}`,
  fillPeople('users', { from: 1, count: records, all: records }),
  fillPeople('staff', { from: 1, count: 1000, all: records }),
  ...['age, id', 'last_name, id', 'created_at, id', 'score'].map(
    (index) => `create index of_${index.replaceAll(', ', '_')} on users (${index})`,
  ),
  'create index of_city on companies (city)',
  'analyze table users, staff, companies',
];

/** The ticks of a process and all its threads, as Linux tells them. */
function cpuOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return (fields[11] + fields[12]) * microsecondsPerTick;
}

/** Starts it and fills it; see `openPostgres`. */
export async function openMariaDb({ records }) {
  const server = await startMariaDb();
  const url = new URL(server.url);
  const [, database] = url.pathname.split('/');
  let connection;
  const close = async () => {
    await connection?.end();
    await server.stop();
  };
  try {
    connection = await mysql.createConnection({
      host: url.hostname,
      port: Number(url.port),
      user: url.username,
    });
    for (const statement of [`create database ${database}`, `use ${database}`, ...tables(records)])
      await connection.query(statement);
    return {
      url: server.url,
      cpu: () => cpuOf(server.pid),
      async addDeletable({ table, records: all, count }) {
        await connection.query(`delete from ${table} where id >= ${firstDeletable}`);
        await connection.query(fillPeople(table, { from: firstDeletable, count, all }));
        return { first: firstDeletable, last: firstDeletable + count - 1 };
      },
      async tidy(table, all) {
        await connection.query(`delete from ${table} where id > ${all}`);
        await connection.query(`alter table ${table} auto_increment = ${all + 1}`);
        await connection.query(`analyze table ${table}`);
      },
      version: async () => (await connection.query('select version() as version'))[0][0].version,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
