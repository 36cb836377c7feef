import { InvalidInput, type LifeCycleContext } from '@nest-endpoints/core';
import { Logger } from '@nestjs/common';
import type { Trip } from './trip.entity.js';

const logger = new Logger('Trips');

/** Refuses a trip that ends before it starts, whatever was sent of it: the record has what would be stored. */
export function refuseBackwards({
  record: { startsOn, endsOn },
}: Pick<LifeCycleContext<Trip>, 'record'>): void {
  // Days are written YYYY-MM-DD, which sorts as text.
  if (endsOn !== null && endsOn !== undefined && endsOn < startsOn)
    throw new InvalidInput({ endsOn: 'a trip cannot end before it starts' });
}

/** Tells the log what happened to a trip, once it is sure. */
export function logTrip({
  operation,
  record,
  requestId,
}: Pick<LifeCycleContext<Trip>, 'operation' | 'record' | 'requestId'>): void {
  logger.log(`${operation} of trip ${record.id} [${requestId}]`);
}
