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
  for (let start = 0; start < cities.length; start += batchSize) {
    const batch = cities.slice(start, start + batchSize);
    await em.insertMany(City, batch);
    progress.advance(batch.length);
  }
  // The rows came with their own ids; the cities made here shall count on from the highest.
  await em.execute(`select setval(pg_get_serial_sequence('city', 'id'), max(id)) from city`);
  progress.finish();
}
