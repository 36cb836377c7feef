import { createServer, connect, type NetConnectOpts, type Socket } from 'node:net';

/** A way to a server that can be blocked, as a network or a machine that hangs would. */
export interface FaultyWay {
  readonly port: number;
  /** From now on nothing gets through, and nobody is told. */
  hang(): void;
  /** Ends what is open, and lets new connections through. */
  mend(): void;
  /**
   * Has the next message to the server with this in it come late: behind the next request to stop a statement.
   *
   * @returns settles when both got through
   */
  overtake(text: RegExp): Promise<unknown>;
  /** Holds the next message to the server with this in it back. @returns settles when it has come */
  hold(text: RegExp): Promise<unknown>;
  close(): Promise<void>;
}

/** A way to a server with a connection string. */
export interface FaultyProxy extends FaultyWay {
  /** The server's connection string, by this way. */
  readonly url: string;
}

/** @param url a connection string */
export const faultyProxy = async (url: string): Promise<FaultyProxy> => {
  const { hostname, port } = new URL(url);
  const way = await faultyWay({ port: Number(port), host: hostname });
  return { ...way, url: Object.assign(new URL(url), { port: way.port }).href };
};

/** What a message to a server is late for, and who waits for it. */
interface Overtaken {
  readonly text: RegExp;
  readonly late: PromiseWithResolvers<unknown>;
  /** Tells that the message has come. */
  readonly held: PromiseWithResolvers<unknown>;
  /** Sends it; undefined while nobody has. */
  send?: () => void;
}

/** @param to where the server listens */
export const faultyWay = async (to: NetConnectOpts): Promise<FaultyWay> => {
  const sockets = new Set<Socket>();
  let hangs = false;
  let overtaken: Overtaken | undefined;
  const letThrough = (): void => {
    overtaken?.send?.();
    overtaken?.late.resolve(undefined);
    overtaken = undefined;
  };
  const lateWith = (text: RegExp): Overtaken =>
    (overtaken = { text, late: Promise.withResolvers(), held: Promise.withResolvers() });
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (hangs) return;
    const onward = keep(connect(to));
    onward.pipe(client);
    client.on('end', () => onward.end());
    client.on('data', (message) => {
      const send = () => onward.write(message);
      // A server that was told ends the connection, or has it ended.
      if (isToStop(message)) onward.once('close', letThrough);
      if (
        overtaken !== undefined &&
        overtaken.send === undefined &&
        overtaken.text.test(message.toString('latin1'))
      ) {
        overtaken.send = send;
        overtaken.held.resolve(undefined);
      } else send();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    hang: () => {
      hangs = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend: () => {
      hangs = false;
      end();
    },
    overtake: (text) => lateWith(text).late.promise,
    hold: (text) => lateWith(text).held.promise,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        end();
      }),
  };
};

/** True for a message that stops a statement: a CancelRequest (PostgreSQL, 54.7), or `kill query`. */
const isToStop = (message: Buffer): boolean =>
  (message.length >= 8 && message.readInt32BE(4) === 80877102) || message.includes('kill query');
