import type { PlanName } from './sql.plans.js';

/** The statements of each plan, as SQLite hears them: it sorts nulls first by itself, and counts in a statement of its own. */
export const sqlite: Readonly<Record<PlanName, readonly string[]>> = {
  'one record by its key': [
    'select `e0`.`title` as c0, `e1`.`id` as c1, `e1`.`name` as c2 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`id` = ?',
  ],
  'one record and what is related to it': [
    'select `e0`.`name` as c0, `e0`.`id` as c1 from `band` as `e0` where `e0`.`id` = ?',
    'select * from (select `e0`.`title` as c0, `e0`.`band_id` as o, row_number() over (partition by `e0`.`band_id` order by `e0`.`year` is null desc, `e0`.`year` desc, `e0`.`id` asc) as nth from `album` as `e0` where `e0`.`band_id` in (select value from json_each(?))) as related where nth <= ? order by nth',
  ],
  'a page and its count': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` order by `e0`.`id` asc limit 51',
  ],
  'a page in the order of a parent': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` order by `e1`.`name` is null desc, `e1`.`name` desc, `e0`.`id` asc limit 51',
  ],
  'a page behind many records': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`id` in (select `e2`.`id` from `album` as `e2` order by `e2`.`id` asc limit 51 offset ?) order by `e0`.`id` asc',
  ],
  'a page with an estimated count': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` order by `e0`.`id` asc limit 51',
  ],
  'the first page of cursors, and the next': [
    "select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3, case typeof(`e0`.`id`) when 'integer' then cast(`e0`.`id` as text) when 'real' then iif(abs(`e0`.`id`) < 9e999, `e0`.`id`, cast(`e0`.`id` as text)) else '''' || `e0`.`id` end as k0 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` order by `e0`.`id` asc limit ?",
    'select count(*) as total from `album` as `e0`',
    "select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3, case typeof(`e0`.`id`) when 'integer' then cast(`e0`.`id` as text) when 'real' then iif(abs(`e0`.`id`) < 9e999, `e0`.`id`, cast(`e0`.`id` as text)) else '''' || `e0`.`id` end as k0 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where (`e0`.`id`) > (?) order by `e0`.`id` asc limit ?",
    'select count(*) as total from `album` as `e0`',
  ],
  'a page behind a cursor of a nullable column': [
    "select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3, case typeof(`e0`.`year`) when 'integer' then cast(`e0`.`year` as text) when 'real' then iif(abs(`e0`.`year`) < 9e999, `e0`.`year`, cast(`e0`.`year` as text)) else '''' || `e0`.`year` end as k0, case typeof(`e0`.`id`) when 'integer' then cast(`e0`.`id` as text) when 'real' then iif(abs(`e0`.`id`) < 9e999, `e0`.`id`, cast(`e0`.`id` as text)) else '''' || `e0`.`id` end as k1 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` order by `e0`.`year` is null asc, `e0`.`year` asc, `e0`.`id` asc limit ?",
    'select count(*) as total from `album` as `e0`',
    "select * from (select * from (select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3, case typeof(`e0`.`year`) when 'integer' then cast(`e0`.`year` as text) when 'real' then iif(abs(`e0`.`year`) < 9e999, `e0`.`year`, cast(`e0`.`year` as text)) else '''' || `e0`.`year` end as k0, case typeof(`e0`.`id`) when 'integer' then cast(`e0`.`id` as text) when 'real' then iif(abs(`e0`.`id`) < 9e999, `e0`.`id`, cast(`e0`.`id` as text)) else '''' || `e0`.`id` end as k1 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`year` = ? and `e0`.`id` > ? order by `e0`.`id` asc limit ?) as part0 union all select * from (select `e2`.`title` as c0, `e2`.`year` as c1, `e3`.`id` as c2, `e3`.`name` as c3, case typeof(`e2`.`year`) when 'integer' then cast(`e2`.`year` as text) when 'real' then iif(abs(`e2`.`year`) < 9e999, `e2`.`year`, cast(`e2`.`year` as text)) else '''' || `e2`.`year` end as k0, case typeof(`e2`.`id`) when 'integer' then cast(`e2`.`id` as text) when 'real' then iif(abs(`e2`.`id`) < 9e999, `e2`.`id`, cast(`e2`.`id` as text)) else '''' || `e2`.`id` end as k1 from `album` as `e2` left join `band` as `e3` on `e2`.`band_id` = `e3`.`id` where `e2`.`year` > ? order by `e2`.`year` is null asc, `e2`.`year` asc, `e2`.`id` asc limit ?) as part1 union all select * from (select `e4`.`title` as c0, `e4`.`year` as c1, `e5`.`id` as c2, `e5`.`name` as c3, case typeof(`e4`.`year`) when 'integer' then cast(`e4`.`year` as text) when 'real' then iif(abs(`e4`.`year`) < 9e999, `e4`.`year`, cast(`e4`.`year` as text)) else '''' || `e4`.`year` end as k0, case typeof(`e4`.`id`) when 'integer' then cast(`e4`.`id` as text) when 'real' then iif(abs(`e4`.`id`) < 9e999, `e4`.`id`, cast(`e4`.`id` as text)) else '''' || `e4`.`id` end as k1 from `album` as `e4` left join `band` as `e5` on `e4`.`band_id` = `e5`.`id` where `e4`.`year` is null order by `e4`.`id` asc limit ?) as part2) as parts limit ?",
    'select count(*) as total from `album` as `e0`',
  ],
  'one record per group': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`id` in (select id from (select `e2`.`id` as id, row_number() over (partition by `e3`.`name` order by `e2`.`id` asc) as nth from `album` as `e2` left join `band` as `e3` on `e2`.`band_id` = `e3`.`id`) as grouped where nth = 1) order by `e0`.`id` asc limit 51',
  ],
  'a condition of the endpoint': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`year` > ? order by `e0`.`id` asc limit 51',
  ],
  'one record by a unique value of a search': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`id` = ? and `e0`.`year` = ?',
  ],
  'equal values of a request': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`title` = ? and `e0`.`year` = ? order by `e0`.`id` asc limit 51',
  ],
  'two words of a parent': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` left join `label` as `e2` on `e1`.`label_id` = `e2`.`id` where `e2`.`name` = ? and `e1`.`name` = ? order by `e0`.`id` asc limit 51',
  ],
  'another value': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`title` <> ? order by `e0`.`id` asc limit 51',
  ],
  'an order of numbers': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`year` <= ? and `e0`.`year` > ? order by `e0`.`id` asc limit 51',
  ],
  'a pattern of text': [
    "select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`title` like ? escape '\\' order by `e0`.`id` asc limit 51",
  ],
  'a list of values': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`id` in (select value from json_each(?)) order by `e0`.`id` asc limit 51',
  ],
  'no value': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` where `e0`.`year` is null order by `e0`.`id` asc limit 51',
  ],
  'any value of a parent': [
    'select `e0`.`title` as c0, `e0`.`year` as c1, `e1`.`id` as c2, `e1`.`name` as c3 from `album` as `e0` left join `band` as `e1` on `e0`.`band_id` = `e1`.`id` left join `label` as `e2` on `e1`.`label_id` = `e2`.`id` where `e2`.`name` is not null order by `e0`.`id` asc limit 51',
  ],
};
