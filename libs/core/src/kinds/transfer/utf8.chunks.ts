import { isUtf8 } from 'node:buffer';
import { BadRequest } from '../../wire/refusals.js';

/** The longest part of a character that may stand at the end of a chunk, in bytes. */
const longestPart = 3;

/**
 * Gives the same bytes in chunks that end where a character ends.
 *
 * @throws BadRequest for bytes that are not UTF-8: nobody would notice what a decoder puts in their place
 */
export async function* utf8Chunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer | undefined;
  for await (const chunk of chunks) {
    const bytes: Buffer = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - partAtEnd(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8();
    rest = end === bytes.length ? undefined : Buffer.from(bytes.subarray(end));
    if (whole.length > 0) yield whole;
  }
  if (rest !== undefined) throw notUtf8();
}

/** The number of bytes at the end that may be the beginning of a character. */
function partAtEnd(bytes: Buffer): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(longestPart, length); back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

/** The number of bytes of a character, by its first one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

function notUtf8(): BadRequest {
  return new BadRequest('The request body is not UTF-8');
}
