import { Callable } from '@nest-endpoints/core';
import { z } from 'zod';
import { nearestCities } from './nearest.cities.js';

/** All that comes in a path or a query string is text. */
const numberText = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/, 'value should be a number')
  .transform(Number);

function numberFrom(least: number, most: number): z.ZodType<number> {
  const message = `value should be between ${String(least)} and ${String(most)}`;
  return numberText.pipe(z.number().min(least, message).max(most, message));
}

/** The cities around a point, the nearest first. `distance` is in kilometres. */
export const citiesNear = new Callable({
  url: 'cities/near/:latitude/:longitude',
  pathSchema: z.object({ latitude: numberFrom(-90, 90), longitude: numberFrom(-180, 180) }),
  querySchema: z.strictObject({
    distance: numberFrom(0.1, 500).default(50),
    limit: numberFrom(1, 200).pipe(z.int('value should be an integer')).default(20),
  }),
  returnRecords: true,
  tag: 'City',
  description: 'Cities within a distance of a point, in kilometres, the nearest first.',
  toCall: ({ em, latitude, longitude, queryParameters: { distance, limit } }) =>
    nearestCities(em, { latitude, longitude, distance, limit }),
});
