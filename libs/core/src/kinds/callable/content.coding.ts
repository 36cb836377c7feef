import { brotliDecompressSync, constants } from 'node:zlib';
import type { HeaderLines } from '../../wire/answer.js';

/** The codings that fetch undoes on every Node we run on. */
const undone: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

/** The first bytes of each coding (RFC 1952, RFC 1950, RFC 8878); Brotli (RFC 7932) has no mark of its own. */
const beginnings: ReadonlyMap<string, (bytes: Uint8Array) => boolean> = new Map([
  ['gzip', isGzip],
  ['x-gzip', isGzip],
  ['deflate', ([first = 0, second = 0]) => (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0],
  ['br', isBrotli],
  ['zstd', (bytes) => beginsWith(bytes, [0x28, 0xb5, 0x2f, 0xfd])],
]);

/** Headers about the bytes as they were coded, and no others. */
const ofCoded: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-md5',
  'content-digest',
  'repr-digest',
  'digest',
]);

/**
 * Writes the headers of a body that says it is coded, but may have been decoded on its way. Fetch gives decoded bytes
 * under the headers of the coded ones, and whoever copies them has them, too.
 *
 * @param isFetched whether fetch gave the body
 * @param first its first bytes; undefined where it has none
 */
export function linesOfContent(
  headers: HeaderLines,
  isFetched: boolean,
  first: Uint8Array | undefined,
): HeaderLines {
  const codings = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase());
  const last = codings.at(-1);
  if (last === undefined) return headers;
  const isDecoded = isFetched && codings.every((coding) => undone.has(coding));
  const isCoded = first === undefined || (beginnings.get(last)?.(first) ?? true);
  if (!isDecoded && isCoded) return headers;
  return headers.filter(([name]) => !ofCoded.has(name.toLowerCase()));
}

function isGzip(bytes: Uint8Array): boolean {
  return beginsWith(bytes, [0x1f, 0x8b]);
}

/** The first bytes may be few. */
function beginsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.slice(0, bytes.length).every((byte, index) => byte === bytes[index]);
}

function isBrotli(bytes: Uint8Array): boolean {
  try {
    brotliDecompressSync(bytes, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      maxOutputLength: bytes.length + 65_536,
    });
    return true;
  } catch (error) {
    // More than was to be looked at came out of it.
    return Reflect.get(Object(error) as object, 'code') === 'ERR_BUFFER_TOO_LARGE';
  }
}
