create table postcard (
  id uuid primary key,
  text varchar(200) not null,
  place varchar(100) not null,
  created timestamptz not null,
  picture jsonb
);

create index postcard_created_index on postcard (created);

comment on table postcard is 'What travellers write home: a live list';
