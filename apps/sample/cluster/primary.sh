#!/bin/sh
# Run once by the image of PostgreSQL, when the data of the primary are made.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
create role replicator with replication login password '$REPLICATION_PASSWORD';
-- Keeps what the replica has not seen yet, while it is away.
select pg_create_physical_replication_slot('replica');
-- PgBouncer takes no limits from its clients: they are the role's. Migrations lift them for themselves.
alter role "$POSTGRES_USER" set statement_timeout = '5s';
alter role "$POSTGRES_USER" set lock_timeout = '2s';
-- What a process that was killed has left open must not keep its locks.
alter role "$POSTGRES_USER" set idle_in_transaction_session_timeout = '60s';
SQL
echo 'host replication replicator samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
