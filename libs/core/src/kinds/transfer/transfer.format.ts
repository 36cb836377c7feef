import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { NameTable } from '../../wire/name.table.js';
import { BadRequest, UnsupportedMediaType } from '../../wire/refusals.js';

/** The formats of records that flow: a line of JSON for each, or a table. */
export const transferFormats = ['ndjson', 'csv'] as const;

export type TransferFormat = (typeof transferFormats)[number];

/** The media types of the formats, as answers name them. */
export const mediaTypes = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const satisfies Record<TransferFormat, string>;

/** The media types that clients say, by what they mean. The first of each is ours. */
const known: ReadonlyMap<string, TransferFormat> = new Map([
  [mediaTypes.ndjson, 'ndjson'],
  [mediaTypes.csv, 'csv'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
]);

/**
 * The types that a page of any site may give to a body without asking first (Fetch, 2.2.2), and none where a body must have one.
 * Whoever is known by a cookie must not import what such a page sends, whatever the query string calls it.
 */
const ofAnySite: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]);

/** The control word that names a format. */
const word = 'format';

/** Reads which format a request means. Made once per endpoint. */
export class TransferFormats {
  /** The names of the control word. */
  readonly names: ReadonlySet<string>;

  constructor(names: NameTable) {
    this.names = new Set([word, names.control(word)]);
  }

  /** The format that the query string names; undefined where it names none. @throws BadRequest for an unknown one */
  asked(query: ReadonlyMap<string, string>): TransferFormat | undefined {
    const named = [...this.names].filter((name) => query.has(name));
    const [name, ...others] = named;
    if (name === undefined) return undefined;
    if (others.length > 0) throw new BadRequest(`'${name}' is given more than once in the query string`);
    const format = transferFormats.find((one) => one === query.get(name));
    if (format === undefined) throw new BadRequest(`'${name}' must be one of: ${transferFormats.join(', ')}`);
    return format;
  }

  /** The format of an answer: the one that is named, else what the client would rather have, else lines of JSON. */
  ofAnswer({ headers: { accept } }: EndpointRequest, query: ReadonlyMap<string, string>): TransferFormat {
    return this.asked(query) ?? preferred(accept ?? '');
  }

  /** The format of a body: the one that is named, else that of its content type. @throws UnsupportedMediaType */
  ofBody({ body }: EndpointRequest, query: ReadonlyMap<string, string>): TransferFormat {
    const { contentType, contentEncoding = 'identity' } =
      body.kind === 'stream' ? body : { contentType: undefined };
    if (contentEncoding.toLowerCase() !== 'identity')
      throw new UnsupportedMediaType('The request body must not have a content encoding');
    const [mediaType = '', ...parameters] = partsOf(contentType ?? mediaTypes.ndjson);
    const charset = parameters.find((one) => one.startsWith('charset='));
    if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
      throw new UnsupportedMediaType('The charset of the request body must be UTF-8');
    const format = this.asked(query) ?? known.get(mediaType);
    if (format !== undefined && !ofAnySite.has(mediaType)) return format;
    const allowed = Object.values(mediaTypes).join(' or ');
    throw new UnsupportedMediaType(`The content type of the request body must be ${allowed}`);
  }
}

/** Gives the rest of the query string, which is for others. */
export function withoutWords(
  query: ReadonlyMap<string, string>,
  words: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  return new Map([...query].filter(([name]) => !words.has(name)));
}

/** The format of the most wanted media type that we have (RFC 9110, 12.5.1). */
function preferred(accept: string): TransferFormat {
  let best: { readonly format: TransferFormat; readonly quality: number } | undefined;
  for (const range of accept.split(',')) {
    const [mediaType = '', ...parameters] = partsOf(range);
    const format = known.get(mediaType);
    const quality = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    if (format !== undefined && quality > (best?.quality ?? 0)) best = { format, quality };
  }
  return best?.format ?? 'ndjson';
}

function partsOf(text: string): string[] {
  return text.split(';').map((part) => part.trim().toLowerCase());
}
