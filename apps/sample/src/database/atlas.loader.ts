import type { SqlEntityManager } from '@mikro-orm/sql';
import { City, Country } from '../atlas/atlas.entities.js';
import { readCities, readCountries } from './atlas.source.js';
import { LoadingProgress } from './loading.progress.js';

/** Rows in one INSERT: enough to be quick, few enough for the progress to move. */
const batchSize = 2000;

/** Writes every country and city of the two data packages into empty tables. */
export async function loadAtlas(em: SqlEntityManager): Promise<void> {
  const countries = readCountries();
  const cities = readCities();
  const progress = new LoadingProgress(countries.length + cities.length);
  await em.insertMany(Country, countries);
  progress.advance(countries.length);
  const indexes = await dropIndexes(em);
  for (let start = 0; start < cities.length; start += batchSize) {
    const batch = cities.slice(start, start + batchSize);
    await em.insertMany(City, batch);
    progress.advance(batch.length);
  }
  for (const { definition } of indexes) await em.execute(definition);
  // The rows came with their own ids; the cities made here shall count on from the highest.
  await em.execute(`select setval(pg_get_serial_sequence('city', 'id'), max(id)) from city`);
  progress.finish();
}

/** Drops what is only there to find cities: an index that is made of all rows at once takes a part of the time. */
async function dropIndexes(em: SqlEntityManager): Promise<readonly { readonly definition: string }[]> {
  const indexes = await em.execute<{ name: string; definition: string }[]>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'city'::regclass and not indisunique`,
  );
  for (const { name } of indexes) await em.execute(`drop index ${name}`);
  return indexes;
}
