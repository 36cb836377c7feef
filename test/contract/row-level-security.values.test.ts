import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';

const Parcel = defineEntity({
  name: 'Parcel',
  properties: {
    id: p.integer().primary(),
    code: p.string().nullable(),
    mark: p.string().nullable(),
  },
});

let searchPath = 'public';

const { contract } = service(
  {
    entities: [Parcel],
    root: { rowLevelSecurity: { variables: () => ({ search_path: searchPath }) } },
    endpoints: [
      new Create({
        url: 'parcels',
        modelClass: Parcel,
        readableColumnNames: ['id'],
        writeableColumnNames: ['id', 'code', 'mark'],
      }),
    ],
  },
  postgresqlOnly,
);

/**
 * Types that refuse values: one by its own rule, and one whose rule itself fails. In the schema `older` a function is as
 * on servers before PostgreSQL 16: not there.
 */
const withTypes = async (subject: Subject): Promise<void> => {
  await subject.em().getConnection().executeDump(`
    drop schema if exists older cascade;
    create schema older;
    create function older.pg_input_error_info(text, text)
      returns table (message text, detail text, hint text, sql_error_code text) language plpgsql as
      $$ begin raise exception 'there is no such function' using errcode = '42883'; end $$;
    alter table parcel alter column code type varchar(255), alter column mark type varchar(255);
    drop domain if exists parcel_code, parcel_mark;
    create or replace function is_mark(text) returns boolean language plpgsql as
      $$ begin if $1 = 'bad' then raise exception 'no mark' using errcode = '22023'; end if; return true; end $$;
    create domain parcel_code as varchar(255) check (value <> 'bad');
    create domain parcel_mark as varchar(255) check (is_mark(value));
    alter table parcel alter column code type parcel_code, alter column mark type parcel_mark;`);
};

contract('With row level security, a type of the database names its column too', async (subject) => {
  searchPath = 'public';
  await withTypes(subject);
  const create = (body: object) =>
    subject
      .request()
      .post('/parcels')
      .send({ id: 1, ...body });
  const refused = 'value is refused by a rule of the database';
  expectAnswer(await create({ code: 'bad' }), 400, inputErrors({ code: refused }));
  expectAnswer(await create({ code: 'good', mark: 'bad' }), 400, inputErrors({ mark: refused }));
  expect((await create({ code: 'good', mark: 'good' })).status).toBe(201);
});

contract('A server that cannot tell which value it refuses is a conflict, not a failure', async (subject) => {
  searchPath = 'older, pg_catalog, public';
  await withTypes(subject);
  const create = (body: object) =>
    subject
      .request()
      .post('/parcels')
      .send({ id: 1, ...body });
  expectAnswer(await create({ code: 'bad' }), 409, clientError('The database refuses these values'));
  expect((await create({ code: 'good' })).status).toBe(201);
});
