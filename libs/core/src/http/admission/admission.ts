import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { EndpointDirectory } from '../endpoint.directory.js';
import { LoopDelay } from './loop.delay.js';

/** How many HealthChecks are answered at once, however many other requests there are. */
const vitalPlaces = 32;

/** How often the log tells that requests are turned away, in milliseconds. */
const logPeriod = 10_000;

/** The requests of one sort that are in flight. */
interface Lane {
  readonly places: number;
  taken: number;
  readonly leave: () => void;
}

/**
 * Turns requests away while there is more to do than can be done in time: one that is answered at once can be tried
 * elsewhere, one that waits for its turn is of no use to anybody when it comes. HealthChecks have places of their own:
 * a busy service is not a sick one.
 */
@Injectable()
export class Admission implements OnApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  readonly #ordinary: Lane;
  readonly #vital = laneOf(vitalPlaces);
  readonly #delay: LoopDelay | undefined;
  /** Whether anything is limited. */
  readonly isLimited: boolean;
  #held: Promise<undefined> | undefined;
  #turnedAway = 0;
  #toldTime = -Infinity;

  constructor({ options: { maximumInFlight = 0, maximumDelay = 0 } }: EndpointDirectory) {
    this.#ordinary = laneOf(maximumInFlight === 0 ? Infinity : maximumInFlight);
    this.#delay = maximumDelay === 0 ? undefined : new LoopDelay(maximumDelay);
    this.isLimited = maximumInFlight !== 0 || maximumDelay !== 0;
  }

  /** Requests that come now wait for this, before anything of them is looked at; undefined when they need not. */
  get held(): Promise<void> | undefined {
    return this.#held;
  }

  /** Has requests wait. @returns what lets them in */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#held = promise;
    return () => {
      this.#held = undefined;
      resolve(undefined);
    };
  }

  /** Whether a request may come in. It has its place until its answer is out, or its client has gone. */
  admits(isVital: boolean, response: ServerResponse): boolean {
    // It left while hooks of the user's had it: nobody would give its place back.
    if (response.closed) return false;
    const lane = isVital ? this.#vital : this.#ordinary;
    const isFull = lane.taken >= lane.places;
    if (isFull || (!isVital && this.#delay?.isTooLong === true)) {
      this.#tell(isFull ? `${lane.places} requests are in flight` : 'the event loop lags behind');
      return false;
    }
    lane.taken += 1;
    response.once('close', lane.leave);
    return true;
  }

  onApplicationShutdown(): void {
    this.#delay?.stop();
  }

  /** Now and then: a line for each would make things worse. */
  #tell(why: string): void {
    this.#turnedAway += 1;
    const now = performance.now();
    if (now - this.#toldTime < logPeriod) return;
    this.#toldTime = now;
    this.#logger.warn(`Requests are turned away, because ${why}; so far ${this.#turnedAway}`);
  }
}

function laneOf(places: number): Lane {
  const lane = {
    places,
    taken: 0,
    leave: (): void => {
      lane.taken -= 1;
    },
  };
  return lane;
}
