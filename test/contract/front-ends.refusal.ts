import { expect } from '@jest/globals';
import { EndpointsError } from '@nest-endpoints/client';

/** The refusal of a call. */
export const refusal = async (call: Promise<unknown>): Promise<EndpointsError> => {
  const error: unknown = await call.then(
    () => undefined,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(EndpointsError);
  return error as EndpointsError;
};
