import type { SqlEntityManager } from '@mikro-orm/sql';

/** A point in degrees, how far from it to look in kilometres, and how many cities are enough. */
interface Neighbourhood {
  readonly latitude: number;
  readonly longitude: number;
  readonly distance: number;
  readonly limit: number;
}

interface NearCity {
  readonly id: number;
  readonly name: string;
  readonly population: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country_code: string;
  /** Kilometres, to the metre. */
  readonly distance: number;
}

/** The mean radius of the earth, in kilometres. */
const radius = 6371.0088;

/** A degree of latitude is as long everywhere, so the index on it finds the belt in which the circle lies. */
const statement = `
  select id, name, population, latitude, longitude, country_code, round(distance::numeric, 3)::float8 as distance
  from (
    select city.*, 2 * ${String(radius)} * asin(least(1, sqrt(
      power(sin(radians(latitude - ?) / 2), 2) +
      cos(radians(?)) * cos(radians(latitude)) * power(sin(radians(longitude - ?) / 2), 2)
    ))) as distance
    from city
    where latitude between ? and ?
  ) as near
  where distance <= ?
  order by near.distance, id
  limit ?`;

/** By the haversine formula: as the crow flies, on a globe. */
export function nearestCities(
  em: SqlEntityManager,
  { latitude, longitude, distance, limit }: Neighbourhood,
): Promise<NearCity[]> {
  // A little more than the circle needs: rounding must not cut off what lies on its edge.
  const belt = (distance / radius) * (180 / Math.PI) * 1.000_001;
  const values = [latitude, latitude, longitude, latitude - belt, latitude + belt, distance, limit];
  return em.execute<NearCity[]>(statement, values);
}
