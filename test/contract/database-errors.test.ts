import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, clientError } from '../support/answers.js';
import { postgresqlOnly, service, sqliteOnly, type Subject } from '../support/contract.js';

/** What metadata knows of a seat; {@link strict} has the database know more. */
const Seat = defineEntity({
  name: 'Seat',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string().length(100).nullable(),
    code: p.string().length(20).nullable(),
    row: p.integer().nullable(),
    place: p.integer().nullable(),
    neighbour: p.integer().nullable(),
    hall: p.string().length(20).nullable(),
  },
});

const columns = ['label', 'code', 'row', 'place', 'neighbour'] as const;

const { contract } = service(
  {
    entities: [Seat],
    endpoints: [
      new RestfulApi({
        url: 'seats',
        modelClass: Seat,
        readableColumnNames: [...columns],
        writeableColumnNames: [...columns],
        sortableColumnNames: ['row'],
        searchableColumnNames: ['row'],
        defaultSortColumnName: 'row',
      }),
    ],
  },
  postgresqlOnly,
);

/** Makes the table anew, in a way that no metadata is told of. */
const strict = async (
  { em, database }: Subject,
  change: string,
  label = 'label varchar(100)',
): Promise<void> => {
  const execute = (sql: string) => em().getConnection().execute(sql);
  const key = database === 'sqlite' ? 'integer primary key autoincrement' : 'serial primary key';
  await execute('drop table seat');
  await execute(`create table seat (id ${key}, code varchar(20), "row" int, place int, neighbour int,
    hall varchar(20) default 'north', ${label})`);
  await execute(change);
};

const taken = (name: string) =>
  inputErrors({ [name]: `Invalid value for '${name}': the given value already exists, and must be unique.` });

/** What a create and an update answer to values that the database refuses, and that neither wrote anything. */
const bothRefuse = async (subject: Subject, values: object, answer: object, status = 400): Promise<void> => {
  const good = { label: 'A1', code: 'a1', row: 1, place: 2, neighbour: 1 };
  const created = await subject.request().post('/seats').send(good);
  expect([created.status, created.body]).toEqual([201, expect.objectContaining({ status: 'success' })]);
  const before = await subject.versions('seat');
  expectAnswer(await subject.request().post('/seats').send(values), status, answer);
  expectAnswer(await subject.request().patch('/seats/1').send(values), status, answer);
  expect(await subject.versions('seat')).toEqual(before);
};

contract('A null that only the database refuses is input_errors on its column', async (subject) => {
  await strict(subject, 'alter table seat alter label set not null');
  await bothRefuse(subject, { label: null, code: 'x' }, inputErrors({ label: "'label' is required." }));
});

contract('A missing value that only the database requires is input_errors on its column', async (subject) => {
  await strict(subject, 'alter table seat alter label set not null');
  const answer = await subject.request().post('/seats').send({ code: 'x' });
  expectAnswer(answer, 400, inputErrors({ label: "'label' is required." }));
});

contract('A text that only the database finds too long is input_errors on its column', async (subject) => {
  await strict(subject, 'alter table seat alter label type varchar(5)');
  await bothRefuse(subject, { code: 'x', label: 'too long' }, inputErrors({ label: 'value is too long' }));
});

contract('A number that only the database cannot keep is input_errors on its column', async (subject) => {
  await strict(subject, 'alter table seat alter "row" type smallint');
  await bothRefuse(subject, { code: 'x', row: 40_000 }, inputErrors({ row: 'value is out of range' }));
});

contract('A rule of the column’s own type is input_errors on its column', async (subject) => {
  const execute = (sql: string) => subject.em().getConnection().execute(sql);
  await execute('drop domain if exists even cascade');
  await execute('create domain even as int check (value % 2 = 0)');
  await strict(subject, 'alter table seat alter place type even');
  const answer = inputErrors({ place: 'value is refused by a rule of the database' });
  await bothRefuse(subject, { label: 'x', place: 3 }, answer);
});

contract('A unique index that metadata does not know is input_errors on its column', async (subject) => {
  await strict(subject, 'create unique index anything on seat (lower(code)) where label is not null');
  await subject.em().getConnection().execute("insert into seat (label, code) values ('other', 'TAKEN')");
  const answer = await subject.request().post('/seats').send({ code: 'taken', label: 'mine' });
  expectAnswer(answer, 400, taken('code'));
});

contract('A check is input_errors on its column', async (subject) => {
  await strict(subject, 'alter table seat add constraint unlucky check ("row" <> 13)');
  const answer = inputErrors({ row: 'value is refused by a rule of the database' });
  await bothRefuse(subject, { code: 'x', row: 13 }, answer);
});

contract('A check of several columns is input_errors on the first that was sent', async (subject) => {
  await strict(subject, 'alter table seat add check ("row" < place)');
  await bothRefuse(
    subject,
    { place: 0, row: 5 },
    inputErrors({ row: 'value is refused by a rule of the database' }),
  );
  const answer = await subject.request().patch('/seats/1').send({ place: -1 });
  expectAnswer(answer, 400, inputErrors({ place: 'value is refused by a rule of the database' }));
});

contract('A check of columns that clients cannot send is a 409', async (subject) => {
  await strict(subject, "alter table seat add check (hall <> 'north')");
  const answer = await subject.request().post('/seats').send({ label: 'x' });
  expectAnswer(answer, 409, clientError('The database refuses these values'));
  expect(subject.log.text('warn')).toContain('SQLSTATE 23514');
});

contract('A foreign key that metadata does not know is input_errors on its column', async (subject) => {
  await strict(subject, 'alter table seat add foreign key (neighbour) references seat (id)');
  await bothRefuse(subject, { neighbour: 99 }, inputErrors({ neighbour: 'the given record does not exist' }));
});

contract('A constraint that is judged at the commit is input_errors on its column', async (subject) => {
  await strict(subject, 'alter table seat add constraint later unique (code) deferrable initially deferred');
  await subject.em().getConnection().execute("insert into seat (label, code) values ('other', 'taken')");
  expectAnswer(await subject.request().post('/seats').send({ code: 'taken' }), 400, taken('code'));
});

const onSqlite = service(
  {
    entities: [Seat],
    endpoints: [
      new RestfulApi({
        url: 'seats',
        modelClass: Seat,
        readableColumnNames: [...columns],
        writeableColumnNames: [...columns],
        sortableColumnNames: ['row'],
        searchableColumnNames: ['row'],
        defaultSortColumnName: 'row',
      }),
    ],
  },
  sqliteOnly,
).contract;

onSqlite('On SQLite a null that only the database refuses is input_errors on its column', async (subject) => {
  await strict(subject, 'select 1', 'label varchar(100) not null');
  await bothRefuse(subject, { label: null, code: 'x' }, inputErrors({ label: "'label' is required." }));
});

onSqlite('On SQLite a foreign key that metadata does not know is a 409', async (subject) => {
  await strict(subject, 'select 1', 'label varchar(100), foreign key (neighbour) references seat (id)');
  const answer = await subject.request().post('/seats').send({ label: 'x', neighbour: 99 });
  expectAnswer(answer, 409, clientError('Other records still refer to this record'));
});
