import type { Limit } from '../access/limits/limit.js';
import type { HeaderDescription } from '../endpoint/description/operation.description.js';
import { LimitHeaders } from '../endpoint/limits/limit.headers.js';

const wholeNumber = { type: 'integer' } as const;

/** The time after which a request that was refused may pass. */
export const retryAfter: HeaderDescription = {
  description: 'Seconds to wait before another try.',
  schema: wholeNumber,
};

/** The meanings of headers that tell of limits, by their names. */
const meanings: Readonly<Record<string, HeaderDescription>> = {
  'RateLimit-Policy': { description: 'The limits: quota `q` in `w` seconds.' },
  RateLimit: { description: 'The closest limit: `r` are left, all are there in `t` seconds.' },
  'X-RateLimit-Limit': { description: 'The quota of the closest limit.', schema: wholeNumber },
  'X-RateLimit-Remaining': { description: 'What is left of it.', schema: wholeNumber },
  'X-RateLimit-Reset': { description: 'Seconds until all of it is there.', schema: wholeNumber },
};

/** Describes the headers of answers that tell of limits, those of a success and of a refusal alike. */
export function limitDescriptions(limits: readonly Limit[]): Readonly<Record<string, HeaderDescription>> {
  const { exposed } = new LimitHeaders(limits);
  return Object.fromEntries(
    exposed.flatMap((name) => {
      const meaning = meanings[name];
      return meaning === undefined ? [] : [[name, meaning] as const];
    }),
  );
}
