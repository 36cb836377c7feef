import { EndpointsError } from '@nest-endpoints/client';

/** Makes an error of the client one of refine: its forms show `errors` beside their fields. Others stay as they are. */
export function providerError(error: unknown): unknown {
  if (!(error instanceof EndpointsError)) return error;
  const { message, status: statusCode, inputErrors } = error;
  const fields = [...inputErrors].map(([place, text]) => [place.replace(/^changes\./, ''), text]);
  const errors = fields.length === 0 ? {} : { errors: Object.fromEntries(fields) as Record<string, string> };
  return Object.assign(new Error(message, { cause: error }), { statusCode, ...errors });
}
