import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of this machine's own address that nobody listens on, below those that the system gives to outgoing connections:
 * nobody gets it before whoever asked for it listens there, or listens there again.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
