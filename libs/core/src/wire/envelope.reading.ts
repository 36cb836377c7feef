/** A response envelope as a client reads it, whatever its casing. */
export interface Envelope {
  readonly isSuccess: boolean;
  readonly data: unknown;
  readonly numberOfResults: number | undefined;
  /** The parameters for the next page; undefined after the last one. */
  readonly nextPage: Readonly<Record<string, unknown>> | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The keys of the contract (Standard response envelope), in the casings of `external_casing`. */
const spellings = {
  status: ['status', 'Status'],
  error: ['error', 'Error'],
  data: ['data', 'Data'],
  pagination: ['pagination', 'Pagination'],
  input_errors: ['input_errors', 'inputErrors', 'InputErrors'],
  next_page: ['next_page', 'nextPage', 'NextPage'],
  number_results: ['number_results', 'numberResults', 'NumberResults'],
} as const;

const keys = ['status', 'error', 'data', 'pagination', 'input_errors'] as const;

/** The envelope that a JSON value is; undefined for any other JSON. */
export function envelopeOf(value: unknown): Envelope | undefined {
  if (!isFields(value) || Object.keys(value).length !== keys.length) return undefined;
  if (!keys.every((key) => spellings[key].some((spelling) => Object.hasOwn(value, spelling))))
    return undefined;
  const pagination = field(value, 'pagination');
  const nextPage = isFields(pagination) ? field(pagination, 'next_page') : undefined;
  const total = isFields(pagination) ? field(pagination, 'number_results') : undefined;
  return {
    isSuccess: String(field(value, 'status')).toLowerCase() === 'success',
    data: field(value, 'data'),
    numberOfResults: typeof total === 'number' ? total : undefined,
    nextPage: isFields(nextPage) && Object.keys(nextPage).length > 0 ? nextPage : undefined,
  };
}

function field(fields: Fields, key: keyof typeof spellings): unknown {
  const spelling = spellings[key].find((one) => Object.hasOwn(fields, one));
  return spelling === undefined ? undefined : fields[spelling];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
