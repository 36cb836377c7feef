import { expect } from '@jest/globals';

/** The envelope of a success. */
export const success = (data: unknown, pagination: object = {}) => ({
  status: 'success',
  error: '',
  data,
  pagination,
  input_errors: {},
});

/** The envelope of a refusal that says why in one sentence. */
export const clientError = (error: string) => ({
  status: 'client_error',
  error,
  data: [],
  pagination: {},
  input_errors: {},
});

export const notFound = clientError('Not Found');

/** The envelope of a refusal that says why for each column. */
export const inputErrors = (messages: Readonly<Record<string, string>>) => ({
  status: 'input_errors',
  error: '',
  data: [],
  pagination: {},
  input_errors: messages,
});

/** The envelope of a fault of the service. */
export const failure = (error: string) => ({
  status: 'failure',
  error,
  data: {},
  pagination: {},
  input_errors: {},
});

/** Problem details as RFC 9457 has them, without an envelope. */
export const problem = (status: number, title: string, detail?: string) => ({
  type: 'about:blank',
  title,
  status,
  ...(detail === undefined ? {} : { detail }),
});

/** What supertest and `raw` answer alike. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Checks status code and whole body. */
export const expectAnswer = (
  { status, body }: Answer,
  expectedStatus: number,
  expectedBody: object,
): void => {
  expect({ status, body }).toEqual({ status: expectedStatus, body: expectedBody });
};
