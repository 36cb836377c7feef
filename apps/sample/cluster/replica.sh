#!/bin/sh
# Copies the primary at the first start, and follows it from then on.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install --directory --owner=postgres --group=postgres --mode=0700 "$PGDATA"
  # --write-recovery-conf makes standby.signal and primary_conninfo.
  gosu postgres pg_basebackup --pgdata="$PGDATA" --host=primary --username=replicator --no-password \
    --wal-method=stream --checkpoint=fast --write-recovery-conf --slot=replica
fi
exec docker-entrypoint.sh postgres
