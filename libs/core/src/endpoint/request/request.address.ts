import type { Socket } from 'node:net';

/** The sender's address, as a platform's request tells it, or Node's. */
export function addressIn(native: unknown): string | undefined {
  const request = Object(native) as { readonly ip?: string; readonly socket?: Socket };
  // Past Fastify the request is Node's own.
  return request.ip ?? request.socket?.remoteAddress;
}
