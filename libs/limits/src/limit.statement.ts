/** The table of counts. It is not logged: after a crash of the server everybody begins anew. */
export const limitTable =
  'create unlogged table if not exists limit_record (key bytea primary key, tat timestamptz not null, ' +
  'allowed boolean not null, used bigint not null default 0)';

/** The time at which all of a smooth quota would be there again after the request. */
const after = 'greatest(l.tat, now()) + make_interval(secs => a.each * a.cost)';

/** True if a smooth quota has enough left; a hundredth of a request is rounding. */
const fits = `${after} <= now() + make_interval(secs => a.span + a.each * 0.01)`;

const used = '(case when l.tat <= now() then 0 else l.used end + a.cost)';

/**
 * The statement that counts requests of several keys. All time is the database's. Rows are locked in the order of their
 * keys. `allowed` is stored, because a refusal cannot be told from the time alone. Nothing asks for more than a whole quota,
 * so that a new row is allowed always.
 */
export const limitStatement = `
with asked as (
  select decode(hex, 'hex') as key, each, span, quota, cost, nullif(unit, '') as unit,
    case when unit <> '' then
      (date_trunc(unit, now() at time zone 'UTC') + ('1 ' || unit)::interval) at time zone 'UTC' end as ends
  from unnest($1::text[], $2::float8[], $3::float8[], $4::bigint[], $5::bigint[], $6::text[])
    as given(hex, each, span, quota, cost, unit)
)
insert into limit_record as l (key, tat, allowed, used)
select a.key, coalesce(a.ends, now() + make_interval(secs => a.each * a.cost)), true, a.cost
from asked a order by a.key
on conflict (key) do update set (tat, allowed, used) = (
  select
    case when a.unit is not null then a.ends when ${fits} then ${after} else l.tat end,
    case when a.unit is not null then ${used} <= a.quota else ${fits} end,
    case when a.unit is null then 0 when ${used} <= a.quota then ${used} else ${used} - a.cost end
  from asked a where a.key = excluded.key)
returning encode(l.key, 'hex') as key, l.allowed, extract(epoch from l.tat - now())::float8 as seconds,
  l.used::float8 as used`;

/** The most counts that {@link sweepStatement} deletes: whoever is counted meanwhile waits for it. */
export const sweptRows = 500;

/** The statement that deletes counts of which nothing is left, and waits for none that is being counted. */
export const sweepStatement = `delete from limit_record where key in (
  select key from limit_record where tat < now() limit ${sweptRows} for update skip locked) returning 1`;
