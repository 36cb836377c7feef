import type { IncomingMessage } from 'node:http';

/** Node's own request behind the one a platform hands to handlers: Express extends it, Fastify wraps it. */
export function rawRequest(native: unknown): IncomingMessage {
  const { raw } = native as { readonly raw?: IncomingMessage };
  return raw ?? (native as IncomingMessage);
}
