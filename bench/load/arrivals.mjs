import { World } from './world.mjs';

/** Numbers that a time between two requests is drawn from. */
const fine = 1_000_000;

/**
 * The times in milliseconds at which requests are due, at `rate` a second: as they come from many clients that know nothing
 * of each other. The same seed gives the same times.
 */
export function arrivals({ rate, seconds, seed }) {
  const world = new World({ records: fine, seed, marker: 'arrivals' });
  const times = [];
  for (let time = 0; ;) {
    time += (-Math.log((world.below(fine) + 1) / (fine + 1)) * 1000) / rate;
    if (time >= seconds * 1000) return times;
    times.push(time);
  }
}
