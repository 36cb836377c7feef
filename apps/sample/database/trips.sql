create table trip (
  id uuid primary key,
  code varchar(40),
  title varchar(100) not null,
  city_id integer constraint trip_city_id_foreign references city,
  starts_on date not null,
  ends_on date,
  rating integer,
  budget double precision,
  shared boolean not null default false,
  contact varchar(255),
  remind_at bigint,
  departs_at timestamptz,
  notes text,
  owner varchar(255),
  created timestamptz not null,
  updated timestamptz not null,
  version integer not null default 1,
  deleted_at timestamptz
);

-- Of trips in the trash, codes may be used again.
create unique index trip_code_unique on trip (code) where deleted_at is null;
create index trip_city_id_index on trip (city_id);
create index trip_starts_on_index on trip (starts_on);

comment on table trip is 'Where somebody travels, and when';
