import { createServer, request, Server, type IncomingMessage } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import { duplexPair, pipeline, type Duplex, type Readable } from 'node:stream';
import { markAsCommand } from '../../endpoint/request/command.request.js';
import type { DispatchedRequest } from './dispatched.request.js';

/** The properties of a socket that tell where a request comes from. */
export type Origin = Readonly<Record<string, unknown>>;

/** A request on its way into the application. */
export interface Dispatch {
  /** Ends the request; its endpoint learns of that. */
  readonly signal: AbortSignal;
  /** Sees the request as the server has it, before anybody else does. Default: it is one of the command line's. */
  readonly arrived?: (native: IncomingMessage) => void;
  /** The body, where it flows. Default: that of the request. */
  readonly flowing?: Readable;
  /** Default: this machine. */
  readonly origin?: Origin;
}

const thisMachine: Origin = { remoteAddress: '127.0.0.1', remoteFamily: 'IPv4', remotePort: 0 };

/**
 * Sends requests to an application of this process, which may listen nowhere. Each goes through a pair of streams into
 * the application's own HTTP server. So everything is as over the network: routers, guards, bodies, streams, and clients
 * who leave.
 */
export class InProcessClient {
  readonly #arrivals = new WeakMap<Duplex, (native: IncomingMessage) => void>();

  /** The server that speaks HTTP/1 to us. */
  readonly #speaking: Server;

  private constructor(server: Server) {
    this.#speaking = speakingOf(server);
    server.prependListener('request', (native: IncomingMessage) => {
      this.#arrivals.get(native.socket)?.(native);
    });
  }

  static of(server: Server): InProcessClient {
    return new InProcessClient(server);
  }

  /** Sends a request and gives the answer, its body not yet read. Rejects when the request is ended. */
  send(dispatched: DispatchedRequest, dispatch: Dispatch): Promise<IncomingMessage> {
    const { signal, flowing } = dispatch;
    const [near, far] = this.#connect(dispatch);
    const { method, path, query, body } = dispatched;
    const search =
      query.length === 0
        ? ''
        : `?${String(new URLSearchParams(query.map(([name, text]): [string, string] => [name, text])))}`;
    const headers = Object.fromEntries(dispatched.headers);
    return new Promise((resolve, reject) => {
      const outgoing = request({
        method,
        path: `${path}${search}`,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        createConnection: () => near,
        setHost: !dispatched.headers.has('host'),
        signal,
      });
      outgoing.once('response', resolve).once('error', reject);
      if (flowing === undefined) outgoing.end(body);
      // An answer may come before the end of what is sent; what becomes of that is told by it.
      else pipeline(flowing, outgoing, () => undefined);
      this.#speaking.emit(this.#speaking instanceof HttpsServer ? 'secureConnection' : 'connection', far);
    });
  }

  /** Connects two streams. A destroyed stream does not tell its partner, so both are destroyed. */
  #connect({
    signal,
    arrived = markAsCommand,
    origin = thisMachine,
  }: Dispatch): readonly [near: Duplex, far: Duplex] {
    const [near, far] = duplexPair();
    this.#arrivals.set(Object.assign(far, origin), arrived);
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

/** An application's server, or one that listens nowhere and hands requests on to one that speaks another HTTP. */
function speakingOf(server: Server): Server {
  if (server instanceof Server || (server as object) instanceof HttpsServer) return server;
  const another: Server = server;
  return createServer((native, response) => {
    another.emit('request', native, response);
  });
}
