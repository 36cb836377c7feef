import type { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How long nobody must have come for everybody to be in, in milliseconds. */
const quiet = 40;

/** After this a connection that was not let in is tried again, in milliseconds (RFC 6298, 2.1: a second). */
const patience = 800;

/** What stands behind a server of Node's. It has no public name, but no other way leads to the length of the queue. */
interface Handle {
  listen?(backlog: number): unknown;
}

/**
 * Takes the connections that wait for the server, and lets no more of them wait. The kernel makes connections before
 * the server takes them, and when it stops listening, those are reset together with the requests that came on them.
 * Whoever comes while the queue is short waits at the door instead, and is refused when the server closes.
 */
export async function takeAll(server: Server): Promise<void> {
  let taken = 0;
  const count = (): void => void (taken += 1);
  server.on('connection', count);
  const { _handle: handle } = server as Server & { readonly _handle?: Handle | null };
  handle?.listen?.(1);
  const end = performance.now() + patience;
  for (let known = -1; known !== taken && performance.now() < end;) {
    known = taken;
    await delay(quiet, undefined, { ref: false });
  }
  server.off('connection', count);
}
