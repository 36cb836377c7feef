import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TokenIssuer } from './token.issuer.js';

/** Parameters of {@link KeyServer.start}. */
export interface KeyServerOptions {
  /** Default: any free port. */
  readonly port?: number;
}

/**
 * Publishes the keys of an issuer on this machine, at `url`.
 *
 * @example
 * const server = await KeyServer.start(issuer);
 * new Jwks({ jwksUrl: server.url });
 */
export class KeyServer {
  /** The number of requests that came in. */
  requests = 0;
  /** Answers instead of the key set, while it is set: an outage, an error, nonsense. */
  answer: RequestListener | undefined;

  private constructor(
    private readonly issuer: Pick<TokenIssuer, 'keySet'>,
    private readonly server: Server,
  ) {}

  static async start(
    issuer: Pick<TokenIssuer, 'keySet'>,
    { port = 0 }: KeyServerOptions = {},
  ): Promise<KeyServer> {
    const server = createServer();
    const started = new KeyServer(issuer, server);
    server.on('request', (request, response) => {
      started.requests += 1;
      (started.answer ?? started.#keys).call(started, request, response);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    // It ends with the process, which has something else to do.
    server.unref();
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The URL of the key set. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/.well-known/jwks.json`;
  }

  /** Ends it, and every connection to it. Once is enough; again does nothing. No process stays alive for it alone. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  readonly #keys: RequestListener = (_request, response) => {
    response.setHeader('content-type', 'application/jwk-set+json').end(JSON.stringify(this.issuer.keySet()));
  };
}
