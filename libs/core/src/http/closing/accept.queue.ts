import type { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The time without a new connection after which all are in, in milliseconds. */
const quiet = 40;

/** After this, whoever still comes is one of too many, in milliseconds. */
const patience = 400;

/** Waits until the server has taken the connections that waited for it, while nobody is answered. */
export async function takeAll(server: Server): Promise<void> {
  let taken = 0;
  const count = (): void => void (taken += 1);
  server.on('connection', count);
  const end = performance.now() + patience;
  for (let known = -1; known !== taken && performance.now() < end;) {
    known = taken;
    await delay(quiet, undefined, { ref: false });
  }
  server.off('connection', count);
}
