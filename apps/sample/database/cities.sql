create table city (
  id serial primary key,
  name varchar(200) not null,
  population integer not null,
  latitude double precision not null,
  longitude double precision not null,
  country_code varchar(2) not null constraint city_country_code_foreign references country,
  position integer,
  created timestamptz not null,
  updated timestamptz not null
);

-- Lists break ties by the id: with it in the index, a page is read off the index and nothing is sorted.
create index city_name_id_index on city (name, id);
create index city_population_id_index on city (population, id);
create index city_latitude_id_index on city (latitude, id);
create index city_longitude_id_index on city (longitude, id);
create index city_country_code_index on city (country_code);
-- The largest cities of each country are read off this one.
create index city_country_code_population_index on city (country_code, population);

-- What searches of words, of similar names and of places use.
create index city_name_words_index on city using gin (to_tsvector('simple', left(coalesce(name, ''), 100000)));
create index city_name_similar_index on city using gin (name gin_trgm_ops);
create index city_place_index on city using gist ((
  case when abs(latitude) <= 90 and abs(longitude) <= 180 then ll_to_earth(latitude, longitude) end
));

comment on table city is 'Cities of at least 1,000 people; the id is the one of GeoNames';
