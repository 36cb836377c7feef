import { MikroORM } from '@mikro-orm/core';
import { freshDatabase } from '../database.js';

/** The database of the application that commands are run against, seen from the test. */
export interface Shelf {
  readonly url: string;
  /** Leaves just these novels. */
  fill(titles: readonly string[]): Promise<void>;
  /** The titles that are committed, in the order of their ids, changed ones last. */
  titles(): Promise<string[]>;
  /** Leaves one draft, a deleted one. @returns its id */
  throwAway(title: string): Promise<number>;
  /** Statements of other connections that still run. */
  running(): Promise<unknown[]>;
  close(): Promise<void>;
}

/** The table of the entity in library.module.ts, which only those processes can load. */
const table = `create table novel (
  id serial primary key, title varchar(200) not null, pages int, rating double precision,
  is_read boolean, published date, extra jsonb, version int not null default 1
);
create table mark (code varchar(20) primary key, label varchar(200) not null);
create table draft (id serial primary key, title varchar(200) not null, deleted_at timestamptz)`;

export const shelf = async (): Promise<Shelf> => {
  const database = await freshDatabase('postgresql');
  const orm = await MikroORM.init({ ...database.options, discovery: { warnWhenNoEntities: false } });
  const connection = orm.em.getConnection();
  await connection.execute(table);
  return {
    url: String(database.options.clientUrl),
    fill: async (titles) => {
      await connection.execute('truncate novel restart identity');
      for (const title of titles) await connection.execute('insert into novel (title) values (?)', [title]);
    },
    titles: async () => {
      const rows: { title: string }[] = await connection.execute('select title from novel order by ctid');
      return rows.map(({ title }) => title);
    },
    throwAway: async (title) => {
      await connection.execute('truncate draft');
      const [draft]: { id: number }[] = await connection.execute(
        'insert into draft (title, deleted_at) values (?, now()) returning id',
        [title],
      );
      if (draft === undefined) throw new TypeError('The draft was not written');
      return draft.id;
    },
    running: () =>
      connection.execute(
        `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      ),
    close: async () => {
      await orm.close();
      await database.drop();
    },
  };
};
