-- The log of changes, as ChangeRecord of @nest-endpoints/core has it.
create table change_record (
  id bigserial primary key,
  transaction xid8,
  at timestamptz(6) not null,
  model text not null,
  record_id text not null,
  operation varchar(16) not null,
  before jsonb,
  after jsonb,
  withheld jsonb,
  actor text,
  request_id text,
  endpoint text,
  context jsonb
);

create index change_record_record on change_record (model, record_id, id);
create index change_record_transaction on change_record (transaction, id);
create index change_record_at on change_record (at);
