import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Endpoint } from '../../endpoint/endpoint.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { hasLeft, type Exchange } from '../exchange.js';
import type { Lane } from './lane.js';
import { LoopDelay } from './loop.delay.js';

/** The most requests of one vital endpoint that are answered at once, however many other requests there are. */
const vitalPlaces = 32;

/** The time between two lines in the log that requests are turned away, in milliseconds. */
const logPeriod = 10_000;

/**
 * Turns requests away while there is more to do than can be done in time. A request that is answered at once can be tried
 * elsewhere; one that waits too long is of no use to anybody. Each HealthCheck has places of its own: a busy service is
 * not a sick one. A place is for work: who still sends a body has none, but while limits and its sender are asked before, and
 * who only reads an answer has none any more.
 */
@Injectable()
export class Admission implements OnApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  readonly #ordinary: Lane;
  readonly #vital = new WeakMap<Endpoint, Lane>();
  readonly #delay: LoopDelay | undefined;
  /** True if anything is limited; where nothing is, nobody needs a place. */
  readonly isLimited: boolean;
  /** Requests that come now wait for this, before anything of them is looked at; undefined when they need not. */
  held: Promise<undefined> | undefined;
  #turnedAway = 0;
  #toldTime = -Infinity;

  constructor({ options: { maximumInFlight = 0, maximumDelay = 0 } }: EndpointDirectory) {
    this.#ordinary = { places: maximumInFlight === 0 ? Infinity : maximumInFlight, taken: 0 };
    this.#delay = maximumDelay === 0 ? undefined : new LoopDelay(maximumDelay);
    this.isLimited = maximumInFlight !== 0 || maximumDelay !== 0;
  }

  /** Has requests wait. @returns what lets them in */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.held = promise;
    return () => {
      this.held = undefined;
      resolve(undefined);
    };
  }

  /**
   * True if a request would be let in now. The log tells when it would not. @param endpoint undefined for an OPTIONS
   * request
   */
  hasRoom(endpoint: Endpoint | undefined, { part }: Exchange): boolean {
    if (endpoint?.isImmediate === true || part !== undefined) return true;
    return this.#hasRoom(this.#laneOf(endpoint));
  }

  /** Lets a request in whose client is there, or does not. It has its place until it leaves, or its client has gone. */
  enter(endpoint: Endpoint | undefined, exchange: Exchange): boolean {
    const { response } = exchange;
    if (response === undefined) return true;
    // A part of a request works in the place of the whole.
    if (endpoint?.isImmediate === true || exchange.part !== undefined) return true;
    const lane = this.#laneOf(endpoint);
    if (!this.#hasRoom(lane)) return false;
    lane.taken += 1;
    exchange.lane = lane;
    response.once('close', () => {
      this.leave(exchange);
    });
    return true;
  }

  /** Gives the place of a request back, if it has one. */
  leave(exchange: Exchange): void {
    if (exchange.lane === undefined) return;
    exchange.lane.taken -= 1;
    exchange.lane = undefined;
  }

  /** Gives a request that has left its place again, even where there is none: its answer or its work has begun. */
  takeAgain(exchange: Exchange, lane: Lane): void {
    const { response } = exchange;
    if (exchange.lane !== undefined || response === undefined || hasLeft(response)) return;
    lane.taken += 1;
    exchange.lane = lane;
  }

  onApplicationShutdown(): void {
    this.#delay?.stop();
  }

  #hasRoom(lane: Lane): boolean {
    const isFull = lane.taken >= lane.places;
    if (!isFull && (lane !== this.#ordinary || this.#delay?.isTooLong !== true)) return true;
    this.#tell(isFull ? `${lane.places} requests are in flight` : 'the event loop lags behind');
    return false;
  }

  #laneOf(endpoint: Endpoint | undefined): Lane {
    if (endpoint?.isVital !== true) return this.#ordinary;
    const known = this.#vital.get(endpoint);
    if (known !== undefined) return known;
    const lane = { places: vitalPlaces, taken: 0 };
    this.#vital.set(endpoint, lane);
    return lane;
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
