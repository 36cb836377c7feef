create table "order" (
  id serial primary key,
  item varchar(100) not null,
  amount integer not null default 1,
  version integer not null default 1
);

comment on table "order" is 'Of the example of docs/concurrency.md';
