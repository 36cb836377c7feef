import { Callable, type RequestContext } from '@nest-endpoints/core';
import type { SqlEntityManager } from '@mikro-orm/sql';

/** How many cities are read at a time: what a reader that stops holds in memory. */
const chunkSize = 500;

interface CityRow {
  readonly id: number;
  readonly name: string;
  readonly population: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country_code: string;
  readonly country_name: string;
}

/** A chunk is cut off the key first: the planner must not join and sort every city for each of them. */
const statement = `
  select city.id, city.name, population, latitude, longitude, country_code, country.name as country_name
  from (select * from city where id > ? order by id limit ?) as city
  join country on country.code = city.country_code
  order by city.id`;

/**
 * Every city, a line of JSON each, as fast as the client reads. Chunks go on behind the last id that was read, so
 * nothing is held in the database meanwhile; a city that is made or changed on the way may be there or not.
 */
async function* allCities(em: SqlEntityManager): AsyncGenerator<object> {
  for (let last = 0, isMore = true; isMore;) {
    const rows = await em.execute<CityRow[]>(statement, [last, chunkSize]);
    for (const { country_code: code, country_name: name, ...city } of rows)
      yield { ...city, country: { code, name } };
    last = rows.at(-1)?.id ?? last;
    isMore = rows.length === chunkSize;
  }
}

/** All cities in one answer, `application/x-ndjson`. */
export const exportCities = new Callable({
  url: 'export/cities',
  returnStandardResponse: false,
  returnRecords: true,
  tag: 'City',
  description: 'Every city, one line of JSON each.',
  toCall: ({ em }: RequestContext) => allCities(em),
});
