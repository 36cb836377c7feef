import { createServer, connect, type Socket } from 'node:net';

/** A way to a server that can be blocked, as a network or a machine that hangs would. */
export interface FaultyProxy {
  /** The server's connection string, by this way. */
  readonly url: string;
  /** From now on nothing gets through, and nobody is told. */
  hang(): void;
  /** Ends what is open, and lets new connections through. */
  mend(): void;
  close(): Promise<void>;
}

/** @param url a connection string */
export const faultyProxy = async (url: string): Promise<FaultyProxy> => {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let hangs = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (hangs) return;
    const onward = keep(connect(Number(port), hostname));
    client.pipe(onward).pipe(client);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(url), { port: typeof address === 'object' ? address?.port : '' }).href,
    hang: () => {
      hangs = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      hangs = false;
      end();
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        end();
      }),
  };
};
