import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';

/** Who waits longer for the service waits in vain, in milliseconds. */
const patience = 8000;

/** A client that says what it likes and leaves when it likes: it keeps its side of a connection open to the end. */
export interface HostileClient {
  /** What has come back so far. */
  readonly text: string;
  /** Whether the service still has its connection. */
  readonly isHeld: boolean;
  /** How many bytes the service's machine has taken of it. */
  readonly taken: number;
  write(text: string | Buffer): boolean;
  /** Waits until something that matches has come back. */
  hears(pattern: RegExp): Promise<string>;
  /** Waits until the service has no connection to it any more, and tells after how many milliseconds. */
  released(): Promise<number>;
  /** Reads no more. */
  stopReading(): void;
  readOn(): void;
  leave(): void;
}

/** Connects to a service, and keeps the service's side of the connection in sight. */
export const hostileClient = async (
  { app, url }: { readonly app: INestApplication; readonly url: string },
  text: string | Buffer = '',
): Promise<HostileClient> => {
  const { hostname, port } = new URL(url);
  const accepted: Socket[] = [];
  const keep = (socket: Socket): void => void accepted.push(socket);
  const server = app.getHttpServer() as Server;
  server.on('connection', keep);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  await once(socket, 'connect');
  const theirs = async (): Promise<Socket> => {
    for (;;) {
      const found = accepted.find(({ remotePort }) => remotePort === socket.localPort);
      if (found !== undefined) return found;
      await turn();
    }
  };
  const side = await theirs();
  server.off('connection', keep);
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  // It is cut off, as it deserves.
  socket.on('error', () => undefined);
  if (text.length > 0) socket.write(text);
  return {
    get text() {
      return heard;
    },
    get isHeld() {
      return !side.destroyed;
    },
    get taken() {
      return side.bytesRead;
    },
    write: (more) => socket.write(more),
    hears: async (pattern) => {
      const end = performance.now() + patience;
      while (!pattern.test(heard)) {
        if (performance.now() > end) throw new Error(`${String(pattern)} has not come, but: ${heard}`);
        await turn();
      }
      return heard;
    },
    released: async () => {
      const begun = performance.now();
      while (!side.destroyed) {
        if (performance.now() - begun > patience) throw new Error('it keeps the connection');
        await turn();
      }
      return performance.now() - begun;
    },
    stopReading: () => socket.pause(),
    readOn: () => socket.resume(),
    leave: () => socket.destroy(),
  };
};
