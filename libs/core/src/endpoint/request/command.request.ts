import type { IncomingMessage } from 'node:http';

/** The requests of the command line. A request from the network is never among them, whatever it says of itself. */
const commands = new WeakSet<object>();

/** Marks a request that the command line of this process made, before it is dispatched. */
export function markAsCommand(request: IncomingMessage): void {
  commands.add(request);
}

/** True if the command line of this process made a request, seen through the platform's own object. */
export function isCommandRequest(native: unknown): boolean {
  const { raw = native } = Object(native) as { readonly raw?: unknown };
  return typeof raw === 'object' && raw !== null && commands.has(raw);
}
