import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP relay to a server: what stands between a service and its database can be cut and mended. */
export interface Relay {
  readonly port: number;
  /** How many connections were asked for since it was cut. */
  readonly attempts: number;
  /** Ends every connection, and each that is asked for from now on. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/**
 * Relays connections to the server of an address, e.g. `postgresql://…:5432/…`; in one piece until it is cut.
 * @param hear is given each chunk of a client's, by a function of its own for each client
 */
export async function startRelay(
  address: string,
  hear: () => (chunk: Buffer) => void = () => () => undefined,
): Promise<Relay> {
  const { hostname, port } = new URL(address);
  const sockets = new Set<Socket>();
  let isCut = false;
  let attempts = 0;
  const kept = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    if (isCut) {
      attempts += 1;
      client.on('error', () => undefined).destroy();
      return;
    }
    const onward = kept(connect(Number(port), hostname));
    onward.on('close', () => client.destroy());
    kept(client).on('close', () => onward.destroy());
    client.on('data', hear());
    client.pipe(onward).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    attempts = 0;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get attempts() {
      return attempts;
    },
    cut,
    mend() {
      isCut = false;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
