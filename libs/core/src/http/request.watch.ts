import type { ServerResponse } from 'node:http';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';
import { dropReply } from '../endpoint/dropped.reply.js';
import { atMost } from '../limits/bounded.wait.js';
import type { Cancellation } from '../limits/cancellation.js';
import { ServiceUnavailable } from '../wire/refusals.js';
import { hasLeft } from './exchange.js';

/** The time between two looks at requests in flight, in milliseconds. */
const period = 100;

/** The time that a shutdown waits for given up work to be undone, in milliseconds: a function of the user's may never end. */
const patience = 3000;

/** Flight of a request whose handler has not answered yet. */
class Flight {
  /** Ends when the handler has, whatever came of it. */
  work: Promise<unknown> | undefined;

  constructor(
    /** Its place among the others; undefined once it has landed. */
    public place: number | undefined,
    readonly request: Flown,
    /** The end of its time, on the clock of `performance.now()`. */
    readonly deadline: number,
    readonly limit: number,
    /** Undefined where a request came without a socket. */
    readonly response: ServerResponse | undefined,
    readonly fail: (error: Error) => void,
  ) {}
}

/** The part of a request that matters here. */
export interface Flown {
  readonly cancellation: Cancellation;
  /** The thing that it may be waiting for in vain, in words for the log; undefined when nothing is known. */
  readonly waitingFor: string | undefined;
  /** True if the command line of this process made it: a person waits, and may end it. */
  readonly isCommand: boolean;
}

/**
 * Gives up requests that take too long, and those whose clients have gone. One timer looks at all of them, so that a
 * request which is answered in time costs no timer and no listener of its own.
 */
@Injectable()
export class RequestWatch implements BeforeApplicationShutdown, OnApplicationShutdown {
  /** No Set: V8 chains the tables that a Set has outgrown, and old ones keep landed requests until a full collection. */
  readonly #flights: Flight[] = [];
  /** The work that was given up and is being undone. */
  readonly #undone = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Has a request worked on.
   *
   * @param limit in milliseconds; 0 for none
   * @throws ServiceUnavailable when the time is up; the work is told so, but it may go on
   */
  over<R extends Flown, T>(
    request: R,
    limit: number,
    response: ServerResponse | undefined,
    work: (request: R) => Promise<T>,
  ): Promise<T> {
    this.#timer ??= setInterval(() => {
      this.#look();
    }, period).unref();
    return new Promise((resolve, fail) => {
      const deadline = limit === 0 ? Infinity : performance.now() + limit;
      const flight = new Flight(this.#flights.length, request, deadline, limit, response, fail);
      this.#flights.push(flight);
      const working = work(request);
      flight.work = working;
      working.then(
        (result) => {
          this.#land(flight);
          resolve(result);
        },
        (error: unknown) => {
          this.#land(flight);
          flight.fail(error as Error);
        },
      );
    });
  }

  /** Gives up all requests in flight. */
  endAll(why: string): void {
    for (const flight of [...this.#flights])
      if (!flight.request.cancellation.isForbidden) this.#end(flight, why);
  }

  /** Waits until the work of requests whose clients have gone is undone, while there is a database. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#look();
    if (this.#undone.size === 0) return;
    await atMost(patience, Promise.allSettled(this.#undone), () => undefined);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** The last one takes its place. */
  #land(flight: Flight): void {
    const { place } = flight;
    if (place === undefined) return;
    flight.place = undefined;
    const last = this.#flights.pop();
    if (last === undefined || last === flight) return;
    last.place = place;
    this.#flights[place] = last;
  }

  #look(): void {
    if (this.#flights.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = performance.now();
    // A copy, because those that end leave the list.
    for (const flight of [...this.#flights]) {
      const { cancellation, waitingFor } = flight.request;
      if (cancellation.isForbidden) continue;
      if (flight.deadline <= now && !flight.request.isCommand)
        this.#end(
          flight,
          [`the time limit of ${flight.limit} ms is over`, waitingFor].filter(Boolean).join('; '),
        );
      else if (flight.response !== undefined && hasLeft(flight.response))
        this.#end(flight, 'the client has gone');
    }
  }

  #end(flight: Flight, why: string): void {
    this.#land(flight);
    this.#remember(flight.work);
    const cause = new Error(why);
    flight.request.cancellation.cancel(cause);
    flight.fail(new ServiceUnavailable({ cause }));
  }

  #remember(work: Promise<unknown> | undefined): void {
    if (work === undefined) return;
    this.#undone.add(work);
    const forget = (): void => void this.#undone.delete(work);
    // A reply that comes by now is nobody's.
    work.then(dropReply, () => undefined).then(forget, forget);
  }
}
