import { request, type IncomingMessage, type Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { markAsCommand } from '@nest-endpoints/core/internal';
import type { INestApplication } from '@nestjs/common';
import type { CommandRequest } from './command.request.js';

/**
 * Sends requests to an application of this process, which listens nowhere. Each goes through a pair of streams into the
 * application's own HTTP server. So everything is as over the network: routers, guards, bodies, streams, and clients who
 * leave.
 */
export class InProcessClient {
  readonly #ours = new WeakSet<Duplex>();

  constructor(private readonly server: Server) {
    server.prependListener('request', (incoming: IncomingMessage) => {
      if (this.#ours.has(incoming.socket)) markAsCommand(incoming);
    });
  }

  static of(app: INestApplication): InProcessClient {
    return new InProcessClient(app.getHttpServer() as Server);
  }

  /**
   * Sends a request and gives the answer, its body not yet read. Rejects when `signal` ends the request; the endpoint
   * learns of that.
   */
  send(command: CommandRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const [near, far] = this.#connect(signal);
    const { method, path, query, body } = command;
    const search =
      query.length === 0
        ? ''
        : `?${String(new URLSearchParams(query.map(([name, text]): [string, string] => [name, text])))}`;
    const headers = Object.fromEntries(command.headers);
    return new Promise((resolve, reject) => {
      const outgoing = request({
        method,
        path: `${path}${search}`,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        createConnection: () => near,
        setHost: !command.headers.has('host'),
        signal,
      });
      outgoing.once('response', resolve).once('error', reject).end(body);
      this.server.emit(this.server instanceof TlsServer ? 'secureConnection' : 'connection', far);
    });
  }

  /** Connects two streams. A destroyed stream does not tell its partner, so both are destroyed. */
  #connect(signal: AbortSignal): readonly [near: Duplex, far: Duplex] {
    const [near, far] = duplexPair();
    const address = { remoteAddress: '127.0.0.1', remoteFamily: 'IPv4', remotePort: 0 };
    this.#ours.add(Object.assign(far, address));
    const leave = (): void => {
      near.destroy();
      far.destroy();
    };
    signal.addEventListener('abort', leave, { once: true });
    near.once('close', () => {
      signal.removeEventListener('abort', leave);
      far.destroy();
    });
    far.once('close', () => {
      // What it has written to its end is still to be read.
      if (!far.writableFinished) near.destroy(new Error('the application broke the connection off'));
    });
    return [near, far];
  }
}
