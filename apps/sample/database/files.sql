-- The memory of files (docs/files.md): written by the library alone.
create table file_record (
  key varchar(32) primary key,
  state varchar(8) not null,
  owner text,
  model text not null,
  column_name text not null,
  record_id text,
  name text not null,
  type text not null,
  bytes bigint not null,
  sha256 varchar(64) not null,
  seen_at timestamptz,
  changed_at timestamptz not null
);

create index file_record_state on file_record (state, changed_at);
create index file_record_owner on file_record (model, record_id);
