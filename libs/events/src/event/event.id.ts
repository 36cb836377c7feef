import { createHash } from 'node:crypto';
import type { ChangePlace } from '@nest-endpoints/core';

/** The name space of our ids: a UUID of its own, as RFC 9562 wants one. */
const space = Buffer.from('5f0c1a3ee1f14c0f9f0ab6d2c7a4e913', 'hex');

/** Gives the UUIDv5 of a change for one receiver: whoever makes it again makes the same. */
export function eventId(changeId: string, receiver: string): string {
  const hash = createHash('sha1').update(space).update(`${changeId} ${receiver}`).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return uuidOf(hash.toString('hex'));
}

/** The bits of a UUIDv8 that are ours, from the first: of the transaction, of the change within it, and of the event. */
const bits = { transaction: 48, change: 42, event: 32 } as const;

/**
 * Gives the UUIDv8 (RFC 9562, 5.8) of a change that is told as an event: ids sort as changes are read, and whoever makes one again
 * makes the same.
 *
 * @param event the id of the event
 */
export function orderedId({ transaction, id }: ChangePlace, event: string): string {
  const last = BigInt(`0x${event.slice(-bits.event / 4)}`);
  const change = (BigInt.asUintN(bits.change, BigInt(id)) << BigInt(bits.event)) | last;
  const [first, second] = [BigInt.asUintN(bits.transaction, BigInt(transaction)), change >> 62n];
  const third = BigInt.asUintN(62, change) | (2n << 62n);
  return uuidOf(`${hexOf(first, 12)}8${hexOf(second, 3)}${hexOf(third, 16)}`);
}

function hexOf(value: bigint, length: number): string {
  return value.toString(16).padStart(length, '0');
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
