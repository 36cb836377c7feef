import type { PlanName } from './sql.plans.js';

/** The statements of each plan, as PostgreSQL hears them. */
export const postgresql: Readonly<Record<PlanName, readonly string[]>> = {
  'one record by its key': [
    'select "e0"."title" as c0, "e1"."id" as c1, "e1"."name" as c2 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."id" = $1',
  ],
  'one record and what is related to it': [
    'select "e0"."name" as c0, "e0"."id" as c1 from "band" as "e0" where "e0"."id" = $1',
    'select related.c0, "e0"."id" as o from "band" as "e0" cross join lateral (select "e1"."title" as c0, row_number() over (order by "e1"."year" desc, "e1"."id" asc) as nth from "album" as "e1" where "e1"."band_id" = "e0"."id" order by "e1"."year" desc, "e1"."id" asc limit $1) as related where "e0"."id" = any($2) order by nth',
  ],
  'a page and its count': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3, (select count(*) as total from "album" as "e2") as total from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" order by "e0"."id" asc limit 51',
  ],
  'a page in the order of a parent': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" order by "e1"."name" desc, "e0"."id" asc limit 51',
  ],
  'a page behind many records': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."id" in (select "e2"."id" from "album" as "e2" order by "e2"."id" asc limit 51 offset $1) order by "e0"."id" asc',
  ],
  'a page with an estimated count': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" order by "e0"."id" asc limit 51',
  ],
  'the first page of cursors, and the next': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3, "e0"."id"::text as k0, (select count(*) as total from "album" as "e2") as total from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" order by "e0"."id" asc limit $1',
    'with "*page" as (select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3, "e0"."id"::text as k0 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where ("e0"."id") > ($1) order by "e0"."id" asc limit $2) select "*page".*, (select count(*) as total from "album" as "e2") as total from "*page"',
  ],
  'a page behind a cursor of a nullable column': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3, "e0"."id"::text as k1, (select count(*) as total from "album" as "e2") as total from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" order by "e0"."year" asc, "e0"."id" asc limit $1',
    'with "*page" as (select * from (select * from (select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3, "e0"."id"::text as k1 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."year" = $1 and "e0"."id" > $2 order by "e0"."id" asc limit $3) as part0 union all select * from (select "e2"."title" as c0, "e2"."year" as c1, "e3"."id" as c2, "e3"."name" as c3, "e2"."id"::text as k1 from "album" as "e2" left join "band" as "e3" on "e2"."band_id" = "e3"."id" where "e2"."year" > $4 order by "e2"."year" asc, "e2"."id" asc limit $5) as part1 union all select * from (select "e4"."title" as c0, "e4"."year" as c1, "e5"."id" as c2, "e5"."name" as c3, "e4"."id"::text as k1 from "album" as "e4" left join "band" as "e5" on "e4"."band_id" = "e5"."id" where "e4"."year" is null order by "e4"."id" asc limit $6) as part2) as parts limit $7) select "*page".*, (select count(*) as total from "album" as "e6") as total from "*page"',
  ],
  'one record per group': [
    'with "*page" as (select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."id" in (select id from (select "e2"."id" as id, row_number() over (partition by "e3"."name" order by "e2"."id" asc) as nth from "album" as "e2" left join "band" as "e3" on "e2"."band_id" = "e3"."id") as grouped where nth = 1) order by "e0"."id" asc limit 51) select "*page".*, case when (select count(*) from "*page") > 50 then (select count(distinct "e5"."name") + count(distinct case when "e5"."name" is null then 1 end) as total from "album" as "e4" left join "band" as "e5" on "e4"."band_id" = "e5"."id") end as total from "*page"',
  ],
  'a condition of the endpoint': [
    'with "*page" as (select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."year" > $1 order by "e0"."id" asc limit 51) select "*page".*, case when (select count(*) from "*page") > 50 then (select count(*) as total from "album" as "e2" where "e2"."year" > $2) end as total from "*page"',
  ],
  'one record by a unique value of a search': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."id" = $1 and "e0"."year" = $2',
  ],
  'equal values of a request': [
    'with "*page" as (select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."title" = $1 and "e0"."year" = $2 order by "e0"."id" asc limit 51) select "*page".*, case when (select count(*) from "*page") > 50 then (select count(*) as total from "album" as "e2" where "e2"."title" = $3 and "e2"."year" = $4) end as total from "*page"',
  ],
  'two words of a parent': [
    'with "*page" as (select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" left join "label" as "e2" on "e1"."label_id" = "e2"."id" where "e2"."name" = $1 and "e1"."name" = $2 order by "e0"."id" asc limit 51) select "*page".*, case when (select count(*) from "*page") > 50 then (select count(*) as total from "album" as "e3" left join "band" as "e4" on "e3"."band_id" = "e4"."id" left join "label" as "e5" on "e4"."label_id" = "e5"."id" where "e5"."name" = $3 and "e4"."name" = $4) end as total from "*page"',
  ],
  'another value': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."title" <> $1 order by "e0"."id" asc limit 51',
  ],
  'an order of numbers': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."year" <= $1 and "e0"."year" > $2 order by "e0"."id" asc limit 51',
  ],
  'a pattern of text': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."title" like $1 escape \'\\\' order by "e0"."id" asc limit 51',
  ],
  'a list of values': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."id" = any($1) order by "e0"."id" asc limit 51',
  ],
  'no value': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" where "e0"."year" is null order by "e0"."id" asc limit 51',
  ],
  'any value of a parent': [
    'select "e0"."title" as c0, "e0"."year" as c1, "e1"."id" as c2, "e1"."name" as c3 from "album" as "e0" left join "band" as "e1" on "e0"."band_id" = "e1"."id" left join "label" as "e2" on "e1"."label_id" = "e2"."id" where "e2"."name" is not null order by "e0"."id" asc limit 51',
  ],
};
