import type { Server } from 'node:http';
import type { Http2Session } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { Shutdown } from '../../endpoint/shutdown.js';
import { takeAll } from './accept.queue.js';
import { Admission } from '../admission/admission.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { RequestWatch } from '../request.watch.js';

/** The time that the answers of requests which are given up have to go out, in milliseconds. */
const lastWords = 100;

/**
 * The stop of the service. It still serves for the drain time, then listens no more, and at last gives up what takes too
 * long. Between the first and the second, {@link Shutdown} tells load balancers and clients to go elsewhere.
 */
@Injectable()
export class Drain implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  /** In milliseconds. */
  readonly drainTime: number;
  /** In milliseconds. */
  readonly closingTime: number;
  readonly #sessions = new Set<Http2Session>();
  #drained: Promise<void> | undefined;
  #limit: NodeJS.Timeout | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    { options: { drainTime = 2000, closingTime = 4000 } }: EndpointDirectory,
    private readonly shutdown: Shutdown,
    private readonly watch: RequestWatch,
    private readonly admission: Admission,
  ) {
    this.drainTime = drainTime;
    this.closingTime = closingTime;
  }

  /** Knows the sessions of HTTP/2. */
  onApplicationBootstrap(): void {
    this.#server?.on('session', (session: Http2Session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
  }

  /** Serves on for the drain time, listens no more, and ends requests in flight; once. */
  whole(): Promise<void> {
    return (this.#drained ??= this.#drain());
  }

  /** Without a signal nobody is to be told first, and Nest stops listening when this is done. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    if (signal !== undefined) await this.whole();
    this.shutdown.begin();
    this.#giveUpLater();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.#limit);
  }

  async #drain(): Promise<void> {
    this.shutdown.begin();
    const server = this.#server;
    if (server?.listening !== true) return;
    await delay(this.drainTime, undefined, { ref: false });
    // The kernel makes connections before the server takes them, and when it stops listening, those are reset together
    // with the requests that came on them. Clients that are answered come again, so for this moment nobody is.
    const letIn = this.admission.hold();
    await takeAll(server);
    const ended = this.#ended(server);
    letIn();
    await ended;
  }

  /** Stops listening, and waits for the requests in flight; not for ever. */
  #ended(server: Server): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => {
        clearTimeout(this.#limit);
        resolve();
      });
      this.#giveUpLater(resolve);
    });
  }

  /** Gives up what is left then: requests that take too long, and sockets on which no whole request ever came. */
  #giveUpLater(done?: () => void): void {
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => {
      this.watch.endAll('the service has stopped');
      this.#limit = setTimeout(() => {
        this.#cutAll();
        done?.();
      }, lastWords).unref();
    }, this.closingTime).unref();
  }

  /** A server of HTTP/2 has sessions, and no method that ends them. */
  #cutAll(): void {
    for (const session of this.#sessions) session.destroy();
    const server = this.#server as Partial<Pick<Server, 'closeAllConnections'>> | undefined;
    server?.closeAllConnections?.();
  }

  get #server(): Server | undefined {
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | undefined;
    return adapter?.getHttpServer() as Server | undefined;
  }
}
