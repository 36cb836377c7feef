import { required as filled, type Validator } from 'react-admin';

/** The check of a single value that must be there. An empty text is none. */
export const required = filled();

/** The check of lists and JSON that must be there: empty ones are values, too. */
export const present: Validator = Object.assign(
  (value: unknown) => (value === undefined || value === null ? 'ra.validation.required' : undefined),
  // Labels tell of it.
  { isRequired: true },
);
