import {
  NotAuthenticated,
  ServiceUnavailable,
  type Authentication,
  type Credentials,
} from '@nest-endpoints/core';

/** What an authentication sees of a request with this `Authorization` header. */
export const credentials = (authorization?: string): Credentials => ({
  method: 'GET',
  headers: authorization === undefined ? {} : { authorization },
  native: undefined,
  context: () => Promise.resolve({} as Awaited<ReturnType<Credentials['context']>>),
});

export const bearer = (token: string): Credentials => credentials(`Bearer ${token}`);

/** The HTTP status that an authentication leads to: 200, 401 or 503. Anything else it throws is a defect. */
export const statusOf = async (authentication: Authentication, sent: Credentials): Promise<number> =>
  (await outcomeOf(authentication, sent)).status;

/** {@link statusOf}, with the reason that the log would have. */
export const outcomeOf = async (
  authentication: Authentication,
  sent: Credentials,
): Promise<{ readonly status: number; readonly reason: string }> => {
  try {
    await authentication.authenticate(sent);
    return { status: 200, reason: '' };
  } catch (error) {
    if (!(error instanceof NotAuthenticated || error instanceof ServiceUnavailable)) throw error;
    return { status: error.statusCode, reason: error.cause instanceof Error ? error.cause.message : '' };
  }
};
