import { createHash, createHmac } from 'node:crypto';

/** The keys and the place that a signature is made with. */
export interface S3Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** A request whose url is to be signed. */
export interface SignedRequest {
  readonly method: string;
  /** The url with its own parameters, if it has some. */
  readonly url: URL;
  /** The headers that must be sent as they are, with names in lower case; `host` is added. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The time for which the url is good, in seconds. */
  readonly expires: number;
  readonly now: Date;
}

const algorithm = 'AWS4-HMAC-SHA256';

/**
 * Gives a url with a signature of AWS (Signature Version 4), whose body nobody has signed.
 *
 * @throws URIError for a path with a `%` that begins no character
 */
export function presigned(
  signer: S3Signer,
  { method, url, headers = {}, expires, now }: SignedRequest,
): string {
  const { accessKeyId, secretAccessKey, region } = signer;
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const lines = Object.entries({ ...headers, host: url.host }).toSorted(byName);
  const names = lines.map(([name]) => name).join(';');
  const path = url.pathname.split('/').map(decodeURIComponent).map(encoded).join('/');
  const query = [
    ...url.searchParams,
    ['X-Amz-Algorithm', algorithm] as const,
    ['X-Amz-Credential', `${accessKeyId}/${scope}`] as const,
    ['X-Amz-Date', time] as const,
    ['X-Amz-Expires', String(expires)] as const,
    ['X-Amz-SignedHeaders', names] as const,
  ]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .toSorted((one, other) => byName(one, other) || byText(one[1], other[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const canonical = [
    method,
    path,
    query,
    ...lines.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => mac(secret, part), `AWS4${secretAccessKey}`);
  const signature = mac(key, [algorithm, time, scope, hash].join('\n')).toString('hex');
  return `${url.origin}${path}?${query}&X-Amz-Signature=${signature}`;
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Percent-encoding as AWS has it: all but letters, digits and `-._~`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return byText(one, other);
}

/** Sorts by code units, whatever the language of the machine. */
function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
