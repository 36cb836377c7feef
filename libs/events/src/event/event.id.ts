import { createHash } from 'node:crypto';

/** The name space of our ids: a UUID of its own, as RFC 9562 wants one. */
const space = Buffer.from('5f0c1a3ee1f14c0f9f0ab6d2c7a4e913', 'hex');

/** Gives the UUIDv5 of a change for one receiver: whoever makes it again makes the same. */
export function eventId(changeId: string, receiver: string): string {
  const hash = createHash('sha1').update(space).update(`${changeId} ${receiver}`).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
