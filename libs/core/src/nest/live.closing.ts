import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Shutdown } from '../endpoint/shutdown.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';
import { atMost } from '../limits/bounded.wait.js';

/** The time that a shutdown waits for what live lists are reading, in milliseconds. */
const lastWait = 1000;

/** Ends live lists as soon as the service is about to stop, and their work before the database is closed. */
@Injectable()
export class LiveClosing implements BeforeApplicationShutdown {
  constructor(
    private readonly directory: EndpointDirectory,
    shutdown: Shutdown,
  ) {
    shutdown.whenBegun(() => directory.options.live?.end());
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { live } = this.directory.options;
    if (live !== undefined) await atMost(lastWait, live.close(), () => undefined);
  }
}
