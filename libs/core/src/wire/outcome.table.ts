/** The status words of the standard envelope, as the contract spells them in snake_case. */
export type StatusWord = 'success' | 'client_error' | 'input_errors' | 'failure';

interface OutcomeRow {
  readonly statusCode: number;
  readonly status: StatusWord;
}

/**
 * The outcomes that a request can have: their HTTP status codes and status words (decisions: Status codes and the
 * envelope).
 */
export const outcomes = {
  success: { statusCode: 200, status: 'success' },
  created: { statusCode: 201, status: 'success' },
  badRequest: { statusCode: 400, status: 'client_error' },
  invalidInput: { statusCode: 400, status: 'input_errors' },
  notAuthenticated: { statusCode: 401, status: 'client_error' },
  notAuthorized: { statusCode: 403, status: 'client_error' },
  notFound: { statusCode: 404, status: 'client_error' },
  requestTimeout: { statusCode: 408, status: 'client_error' },
  conflict: { statusCode: 409, status: 'client_error' },
  gone: { statusCode: 410, status: 'client_error' },
  preconditionFailed: { statusCode: 412, status: 'client_error' },
  contentTooLarge: { statusCode: 413, status: 'client_error' },
  unsupportedMediaType: { statusCode: 415, status: 'client_error' },
  preconditionRequired: { statusCode: 428, status: 'client_error' },
  tooManyRequests: { statusCode: 429, status: 'client_error' },
  failure: { statusCode: 500, status: 'failure' },
  unavailable: { statusCode: 503, status: 'failure' },
} as const satisfies Record<string, OutcomeRow>;

export type Outcome = keyof typeof outcomes;

/** The status word that goes with a status code nobody gave a word for. */
export function statusOf(statusCode: number): StatusWord {
  if (statusCode < 400) return 'success';
  return statusCode < 500 ? 'client_error' : 'failure';
}
