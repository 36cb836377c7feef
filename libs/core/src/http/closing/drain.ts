import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { Shutdown } from '../../endpoint/shutdown.js';
import { takeAll } from './accept.queue.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { RequestWatch } from '../request.watch.js';

/** How long the answers of requests that are given up have to go out, in milliseconds. */
const lastWords = 100;

/**
 * How the service stops: it serves on for the drain time, then listens no more, and at last gives up what takes too
 * long. Between the first and the second, {@link Shutdown} tells load balancers and clients to go elsewhere.
 */
@Injectable()
export class Drain implements BeforeApplicationShutdown, OnApplicationShutdown {
  /** In milliseconds. */
  readonly drainTime: number;
  /** In milliseconds. */
  readonly closingTime: number;
  #drained: Promise<void> | undefined;
  #limit: NodeJS.Timeout | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    { options: { drainTime = 2000, closingTime = 5000 } }: EndpointDirectory,
    private readonly shutdown: Shutdown,
    private readonly watch: RequestWatch,
  ) {
    this.drainTime = drainTime;
    this.closingTime = closingTime;
  }

  /** Serves on for the drain time, once. */
  whole(): Promise<void> {
    return (this.#drained ??= this.#drain());
  }

  /** Nest stops listening when this is done. Without a signal nobody is to be told first. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    if (signal !== undefined) await this.whole();
    this.shutdown.begin();
    this.#limit = setTimeout(() => {
      this.#giveUp();
    }, this.closingTime).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.#limit);
  }

  async #drain(): Promise<void> {
    this.shutdown.begin();
    const server = this.#server;
    if (server?.listening !== true) return;
    await delay(this.drainTime, undefined, { ref: false });
    await takeAll(server);
  }

  /** What is left then: requests that take too long, and sockets on which no whole request ever came. */
  #giveUp(): void {
    this.watch.endAll('the service has stopped');
    this.#limit = setTimeout(() => {
      this.#server?.closeAllConnections();
    }, lastWords).unref();
  }

  get #server(): Server | undefined {
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | undefined;
    return adapter?.getHttpServer() as Server | undefined;
  }
}
