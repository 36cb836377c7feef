# PgBouncer 1.18 as Debian has it, with which the tests run, too.
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends pgbouncer \
  && rm --recursive /var/lib/apt/lists/*
COPY pgbouncer.ini users.txt /etc/pgbouncer/
USER postgres
EXPOSE 6432
CMD ["/usr/sbin/pgbouncer", "/etc/pgbouncer/pgbouncer.ini"]
