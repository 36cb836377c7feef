-- What a client that sends a request again under its key gets for an answer.
create table idempotency_record (
  id varchar(64) primary key,
  request varchar(64) not null,
  status smallint,
  data text,
  entity_tag text,
  record_key text,
  expires_at timestamptz not null
);

create index idempotency_record_expires_at on idempotency_record (expires_at);
