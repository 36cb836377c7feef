-- What is told to others of changes (docs/events.md): written by the library alone.
create table event_position (
  name varchar(40) primary key,
  transaction varchar(20) not null,
  change_id varchar(20) not null,
  at timestamptz(6) not null,
  holder varchar(36),
  beat bigint not null default 0
);

create table webhook_subscription (
  id serial primary key,
  url varchar(2000) not null,
  events jsonb not null,
  secrets jsonb not null,
  active boolean not null default true,
  description varchar(500),
  audience varchar(16) not null default 'identity',
  owner_issuer varchar(500) not null default '',
  owner_subject varchar(500) not null default '',
  claims jsonb,
  claims_at timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_for varchar(500),
  created_at timestamptz not null
);

create index webhook_subscription_owner on webhook_subscription (owner_issuer, owner_subject);

create table webhook_delivery (
  id bigserial primary key,
  subscription_id int not null references webhook_subscription (id) on delete cascade,
  event_id uuid not null,
  type varchar(200) not null,
  model text not null,
  record_id text not null,
  body text not null,
  state varchar(16) not null,
  tries int not null default 0,
  due_at timestamptz(6) not null,
  created_at timestamptz(6) not null,
  ended_at timestamptz(6),
  last_status int,
  last_answer text,
  last_error text
);

create index webhook_delivery_due on webhook_delivery (subscription_id, due_at, id) where state = 'due';
create index webhook_delivery_record on webhook_delivery (subscription_id, model, record_id, id) where state = 'due';
create index webhook_delivery_list on webhook_delivery (subscription_id, id);
create index webhook_delivery_over on webhook_delivery (ended_at) where state <> 'due';
create index webhook_delivery_dead on webhook_delivery (id) where state = 'dead';
