import type { Trip } from './trip.entity.js';
import type { ValidationContext, ValidationMessages } from '@nest-endpoints/core';

type SentAndStored = Pick<ValidationContext<Trip>, 'requestData' | 'record'>;

/** A day that was not sent is the stored trip's: an update may move either one past the other. */
export function endsAfterItStarts({ requestData, record }: SentAndStored): ValidationMessages {
  const startsOn = requestData['startsOn'] ?? record?.startsOn;
  const endsOn = 'endsOn' in requestData ? requestData['endsOn'] : record?.endsOn;
  // Days are written YYYY-MM-DD, which sorts as text.
  const isBackwards = typeof startsOn === 'string' && typeof endsOn === 'string' && endsOn < startsOn;
  return isBackwards ? { endsOn: 'a trip cannot end before it starts' } : {};
}
