import type { IncomingMessage, ServerResponse } from 'node:http';

/** The most requests of one connection that may wait for those before them. */
const deepest = 100;

const depths = new WeakMap<object, number>();

/**
 * Waits until a request is the first one on its connection that has no answer yet (RFC 9112, 9.3.2). What is sent behind
 * another request may depend on it, and one connection must not be worked for like many. Undefined when it is the first
 * already, `never` when too many wait.
 */
export function turnOf(response: ServerResponse): Promise<void> | 'never' | undefined {
  if (response.socket !== null || response.destroyed) return undefined;
  const { socket } = response.req;
  const depth = (depths.get(socket) ?? 0) + 1;
  if (depth > deepest) return 'never';
  depths.set(socket, depth);
  return new Promise((resolve) => {
    response.once('socket', () => {
      depths.set(socket, (depths.get(socket) ?? 1) - 1);
      resolve();
    });
  });
}

const uninvited = new WeakSet<IncomingMessage>();

/** Has a client wait that sends its body only when it is asked to (RFC 9110, 10.1.1). */
export function haveWait(request: IncomingMessage): void {
  uninvited.add(request);
}

/** Asks a client that waits for its body. */
export function invite(response: ServerResponse | undefined): void {
  if (response !== undefined && uninvited.delete(response.req)) response.writeContinue();
}
