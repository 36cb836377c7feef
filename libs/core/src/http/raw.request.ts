import type { IncomingMessage } from 'node:http';

/** Node's own request behind the one a platform hands to handlers: Express extends it, Fastify wraps it. */
export function rawRequest(native: unknown): IncomingMessage {
  const raw: unknown = Reflect.get(Object(native) as object, 'raw');
  return (raw ?? native) as IncomingMessage;
}
