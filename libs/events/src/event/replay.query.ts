import { DatetimeColumn } from '@nest-endpoints/core';

const form = {
  type: 'object',
  properties: {
    from: {
      type: 'string',
      description: 'An instant, such as 2027-05-01T10:00:00Z, or the id of a change',
    },
  },
  required: ['from'],
} as const;

/** The place to begin anew: an instant, or the id of a change. */
interface ReplayQuery {
  readonly from: Date | string;
}

const instant = new DatetimeColumn();

function placeOf(text: unknown): Date | string | undefined {
  if (typeof text !== 'string') return undefined;
  if (/^\d{1,18}$/.test(text)) return text;
  const given = String(instant.fromText(text));
  // A time without its zone would be another one on each machine.
  const value = instant.complaint(given) === undefined ? instant.toDatabase(given) : undefined;
  return value instanceof Date ? value : undefined;
}

/** The query string of a replay, as a Standard Schema. */
export const replayQuery = {
  '~standard': {
    version: 1,
    vendor: 'nest-endpoints',
    validate(
      value: unknown,
    ):
      | { readonly value: ReplayQuery }
      | { readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[] } {
      const from = placeOf((Object(value) as { readonly from?: unknown }).from);
      if (from !== undefined) return { value: { from } };
      const message = 'value should be an instant, such as 2027-05-01T10:00:00Z, or the id of a change';
      return { issues: [{ message, path: ['from'] }] };
    },
    jsonSchema: { input: () => form, output: () => form },
  },
} as const;
