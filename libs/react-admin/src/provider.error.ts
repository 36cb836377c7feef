import { EndpointsError } from '@nest-endpoints/client';

/** An error as react-admin reads it: what its own `HttpError` has. */
export interface ProviderError extends Error {
  /** The status code, which `checkError` of an authProvider looks at. */
  readonly status: number;
  readonly body: {
    /** Messages for a form, by the name of the field; `root` is for the whole form. Left out where no value is refused. */
    readonly errors?: Readonly<Record<string, string | { readonly serverError: string }>>;
  };
}

/** The sentence of react-admin itself for a form with mistakes, which it translates. */
const invalidForm = 'ra.message.invalid_form';

/** Makes an error of the client one of react-admin. Others stay as they are. */
export function providerError(error: unknown): unknown {
  if (!(error instanceof EndpointsError)) return error;
  const { message, status, inputErrors } = error;
  const fields = [...inputErrors].map(([place, text]) => [place.replace(/^changes\./, ''), text]);
  const errors = {
    root: { serverError: invalidForm },
    ...(Object.fromEntries(fields) as Record<string, string>),
  };
  const body: ProviderError['body'] = fields.length === 0 ? {} : { errors };
  return Object.assign(new Error(message, { cause: error }), { name: 'HttpError', status, body });
}
