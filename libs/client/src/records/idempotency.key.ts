import type { ResourceCall } from '../document/resource.js';
import { headerOf } from './record.requests.js';

/** Gives the header of a new key where the operation reads one: with it a request may be sent again. */
export function keyHeader(call: ResourceCall): Readonly<Record<string, string>> {
  return headerOf(call, 'Idempotency-Key') === undefined ? {} : { 'Idempotency-Key': `"${newKey()}"` };
}

/** A key that nobody else has. Without `randomUUID`, which pages that came without TLS do not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
