create table country (
  code varchar(2) primary key,
  name varchar(100) not null,
  region varchar(50) not null,
  subregion varchar(50) not null,
  capital varchar(100),
  area double precision,
  languages jsonb not null
);

create index country_region_index on country (region);

comment on table country is 'The countries of the world, by their ISO 3166-1 alpha-2 code';
