import type { MigratorOptions } from '@nest-endpoints/migrations';

/** A change of a schema that has records in it. */
export interface MariaDbCase {
  readonly change: string;
  readonly before: string;
  readonly after: string;
  readonly records?: string;
  /** What the plan says of it. */
  readonly says: RegExp;
  readonly options?: Partial<MigratorOptions>;
}

export const destructive = { allowDestructive: true };
export const person = 'create table person (id int primary key, name varchar(20));';
const people = `insert into person (id, name) values (1, 'Ann'), (2, 'Bob'), (3, null);`;

export const ofPerson = (
  change: string,
  after: string,
  says: RegExp,
  rest: Partial<MariaDbCase> = {},
): MariaDbCase => ({
  ...{ change, before: person, records: people, after, says },
  ...rest,
});

export const beside = (
  change: string,
  before: string,
  after: string,
  says: RegExp,
  options = {},
): MariaDbCase => ofPerson(change, person + after, says, { before: person + before, options });

export const column = (
  change: string,
  from: string,
  to: string,
  values: string,
  options: Partial<MigratorOptions> = {},
): MariaDbCase => ({
  change,
  before: `create table t (id int primary key, a ${from});`,
  after: `create table t (id int primary key, a ${to});`,
  records: values === '' ? '' : `insert into t (id, a) values ${values};`,
  says: /^ALTER TABLE `t` MODIFY COLUMN `a` /,
  options,
});
