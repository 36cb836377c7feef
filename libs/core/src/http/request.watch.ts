import type { ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Cancellation } from '../records/cancellation.js';
import { ServiceUnavailable } from '../wire/refusals.js';

/** How often requests in flight are looked at, in milliseconds. */
const period = 100;

/** A request whose handler has not answered yet. */
interface Flight {
  readonly request: Flown;
  /** When its time is up, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly limit: number;
  /** Undefined where a request came without a socket. */
  readonly response: ServerResponse | undefined;
  readonly fail: (error: Error) => void;
}

/** What of a request matters here. */
export interface Flown {
  readonly cancellation: Cancellation;
  /** What it may be waiting for in vain, in words for the log; undefined when nothing is known. */
  readonly waitingFor: string | undefined;
}

/**
 * Gives requests up that take too long, and those whose clients have gone. All are looked at by one timer, so that a
 * request which is answered in time pays for no timer and no listener of its own.
 */
@Injectable()
export class RequestWatch implements OnApplicationShutdown {
  readonly #flights = new Set<Flight>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param limit in milliseconds; 0 for none
   * @throws ServiceUnavailable when the time is up; the work is told so, but it may go on
   */
  over<T>(
    request: Flown,
    limit: number,
    response: ServerResponse | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    this.#timer ??= setInterval(() => {
      this.#look();
    }, period).unref();
    return new Promise((resolve, fail) => {
      const deadline = limit === 0 ? Infinity : performance.now() + limit;
      const flight: Flight = { request, deadline, limit, response, fail };
      this.#flights.add(flight);
      const landed = (): unknown => this.#flights.delete(flight);
      work().finally(landed).then(resolve, fail);
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#flights.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = performance.now();
    for (const flight of this.#flights) {
      const { cancellation, waitingFor } = flight.request;
      if (cancellation.isForbidden) continue;
      if (flight.deadline <= now)
        this.#end(
          flight,
          [`the time limit of ${flight.limit} ms is over`, waitingFor].filter(Boolean).join('; '),
        );
      else if (flight.response?.destroyed === true) this.#end(flight, 'the client has gone');
    }
  }

  #end(flight: Flight, why: string): void {
    this.#flights.delete(flight);
    const cause = new Error(why);
    flight.request.cancellation.cancel(cause);
    flight.fail(new ServiceUnavailable({ cause }));
  }
}
