import { defineEntity, p } from '@mikro-orm/core';
import { connectionOf } from '../support/catalogue.js';
import type { Subject } from '../support/contract.js';

/** The only entity of the applications under test; what is migrated stands beside its table. */
export const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary(), text: p.string().length(100) },
});

/** A table that the target has and the database has not. */
export const pets = 'create table pet (id int primary key, name text);';

/** The names of the tables that are there, without the entity's own. */
export const tables = async ({ orm }: Pick<Subject, 'orm'>): Promise<readonly string[]> => {
  const rows = await connectionOf(orm).execute<{ name: string }[]>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'note' order by 1`,
  );
  return rows.map(({ name }) => name);
};

/** Takes away what earlier tests have made. */
export const withoutPets = async (subject: Subject): Promise<Subject> => {
  await connectionOf(subject.orm).execute('drop table if exists pet, toy, account cascade');
  return subject;
};
