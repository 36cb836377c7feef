import type { IncomingMessage } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Endpoint } from '../../endpoint/endpoint.js';
import { usualBodyLimit, type RawBody } from '../../request/raw.body.js';
import { RequestTimeout, ServiceUnavailable, type Refusal } from '../../wire/refusals.js';
import { bodyStream, streamOf, type BodyWait } from '../body.stream.js';
import {
  bodyReadBefore,
  collectBody,
  isAnnouncedTooLarge,
  wholeBody,
  type BodyLimits,
} from '../body.collector.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { hasLeft, isReset, type Exchange } from '../exchange.js';
import { Admission } from './admission.js';
import { ClientWaits } from './client.waits.js';
import { invite, turnOf } from './pipelining.js';

/** The largest body when `forRoot` names no limit: 1 MiB, 64 levels deep. */
const defaultLimits: BodyLimits = { bytes: usualBodyLimit, depth: 64 };

const noBody: RawBody = { kind: 'none' };

/** Goes on with a request, or refuses it. */
type Done = (refusal?: Refusal) => void;

const wait = (): void => undefined;

/** A message on its way from a client: gone with it. A class, because V8 keeps what getters of single objects see. */
class Sent {
  constructor(private readonly message: IncomingMessage) {}

  get destroyed(): boolean {
    return this.message.destroyed || isReset(this.message);
  }
}

/** The reception of a request until it is worked on: its turn on its connection, its body, and then a place. */
@Injectable()
export class Reception implements OnApplicationShutdown {
  readonly #limits: BodyLimits;
  readonly #bodies: ClientWaits;

  constructor(
    { options }: EndpointDirectory,
    private readonly admission: Admission,
  ) {
    const { bodyLimit = defaultLimits.bytes, maximumJsonDepth = defaultLimits.depth } = options;
    const { maximumReceiving = 1000, receiveTimeout = 30_000 } = options;
    // A body that is of no type is not JSON where the application says so.
    const untyped = options.requireContentType === true ? '' : undefined;
    this.#limits = { bytes: bodyLimit, depth: maximumJsonDepth, untyped };
    this.#bodies = new ClientWaits(maximumReceiving, receiveTimeout);
  }

  /**
   * Waits for a request's turn and its body, and gives it a place. Who leaves meanwhile is never heard of again.
   *
   * @param isLimited true if limits are asked first: then a body stays where it is, until {@link rest} is called
   */
  receive(exchange: Exchange, done: Done, isLimited = false): void {
    if (exchange.flaw !== undefined) {
      done(exchange.flaw);
      return;
    }
    // A part is of a request that is let in already.
    const held = exchange.part === undefined ? this.admission.held : undefined;
    const { response } = exchange;
    // Node gives a response its socket when those before it are out.
    const isFirst = response?.socket !== null;
    const turn = isFirst ? undefined : turnOf(response);
    if (turn === 'never') done(new ServiceUnavailable());
    else if (held === undefined && turn === undefined) this.#receive(exchange, done, isLimited);
    else
      void Promise.all([held, turn]).then(() => {
        this.#receive(exchange, done, isLimited);
      });
  }

  /** Waits for the body that limits have let in, and gives its request a place. @throws Refusal */
  async rest(exchange: Exchange): Promise<void> {
    if (!exchange.isBodyAwaited) return;
    this.admission.leave(exchange);
    const refusal = await new Promise<Refusal | undefined>((resolve) => {
      this.#receive(exchange, resolve, false);
    });
    if (refusal !== undefined) throw refusal;
  }

  onApplicationShutdown(): void {
    this.#bodies.stop();
  }

  #receive(exchange: Exchange, done: Done, isLimited: boolean): void {
    const { raw: request, route } = exchange;
    const { match } = route;
    const endpoint = match?.kind === 'endpoint' ? match.leaf.endpoint : undefined;
    if (isLimited && exchange.hasBody && !request.readableEnded) {
      exchange.isBodyAwaited = true;
      // Limits, and who sends it, are asked in a place.
      this.#enter(noBody, exchange, endpoint, done);
      return;
    }
    if (endpoint === undefined && request.method !== 'OPTIONS') {
      // Nobody answers it, and a refusal takes no place.
      done();
      return;
    }
    if (!exchange.hasBody) {
      this.#enter(exchange.body, exchange, endpoint, done);
      return;
    }
    if (endpoint?.streamsBody === true) {
      this.#enter(this.#streamed(exchange), exchange, endpoint, done);
      return;
    }
    if (endpoint?.readsBody === true && !request.readableEnded) {
      this.#read(exchange, endpoint, done);
      return;
    }
    const body = endpoint?.readsBody === true ? bodyReadBefore(request, this.#limits) : noBody;
    const goOn = (): void => {
      this.#enter(body, exchange, endpoint, done);
    };
    // A short body that nobody reads came with the head, so that its connection serves on; one turn later it is known.
    if (request.readableEnded) goOn();
    else setImmediate(goOn);
  }

  /** Reads a body. Most come with the head and are here one turn later, when there is nothing to wait for. */
  #read(exchange: Exchange, endpoint: Endpoint, done: Done): void {
    const { raw: request } = exchange;
    if (request.readableFlowing !== null) {
      // Somebody else listens already, and what is heard is not kept.
      this.#collect(exchange, endpoint, done);
      return;
    }
    // Whoever listens from now on hears what is read then: with such a listener nothing flows by itself.
    request.on('readable', wait);
    setImmediate(() => {
      const body = wholeBody(request, this.#limits);
      request.off('readable', wait);
      if (body === undefined) this.#await(exchange, endpoint, done);
      else this.#enter(body, exchange, endpoint, done);
    });
  }

  /** The body of an endpoint that reads it itself, as fast as it can. While it waits for its client it has no place. */
  #streamed(exchange: Exchange): RawBody {
    const { raw: request, response, part } = exchange;
    if (request.readableEnded) return streamOf(bodyReadBefore(request, this.#limits), this.#limits);
    const wait: BodyWait = (refuse) => {
      if (part !== undefined) return () => undefined;
      const { lane } = exchange;
      const end = this.#awaited(request, refuse);
      this.admission.leave(exchange);
      return () => {
        end();
        if (lane !== undefined) this.admission.takeAgain(exchange, lane);
      };
    };
    const begin = (): void => {
      invite(response);
    };
    return bodyStream(request, this.#limits, begin, wait);
  }

  #enter(body: RawBody, exchange: Exchange, endpoint: Endpoint | undefined, done: Done): void {
    exchange.body = body;
    // Whoever left while hooks of the user's had the request would not give a place back.
    const isGone = exchange.response !== undefined && hasLeft(exchange.response);
    if (!isGone && (!this.admission.isLimited || this.admission.enter(endpoint, exchange))) done();
    else done(new ServiceUnavailable());
  }

  /** Counts a body that is on its way. @returns what ends that */
  #awaited(message: IncomingMessage, refuse: (refusal: Refusal) => void): () => void {
    return this.#bodies.begin({
      message: new Sent(message),
      giveUp: () => {
        refuse(new RequestTimeout());
      },
      refuse: () => {
        refuse(new ServiceUnavailable());
      },
    });
  }

  /** Waits for a body that is on its way, unless it would be read in vain: it is too large, or its request has no place. */
  #await(exchange: Exchange, endpoint: Endpoint, done: Done): void {
    const { raw: request } = exchange;
    const { admission } = this;
    const { bytes: limit } = this.#limits;
    if (isAnnouncedTooLarge(request, limit))
      this.#enter({ kind: 'tooLarge', limit }, exchange, endpoint, done);
    else if (!admission.isLimited || admission.hasRoom(endpoint, exchange))
      this.#collect(exchange, endpoint, done);
    else done(new ServiceUnavailable());
  }

  #collect(exchange: Exchange, endpoint: Endpoint, done: Done): void {
    const { raw: request } = exchange;
    // The events of a socket come without the request's asynchronous context, which a promise keeps.
    const { promise, resolve } = Promise.withResolvers<RawBody | Refusal>();
    const end = (outcome: RawBody | Refusal): void => {
      leave();
      resolve(outcome);
    };
    const stop = collectBody(request, this.#limits, {
      collected: end,
      failed: (cause) => {
        end(new ServiceUnavailable({ cause }));
      },
    });
    const refuse = (refusal: Refusal): void => {
      stop();
      resolve(refusal);
    };
    // The body of a part is here: nobody waits for a client.
    const leave = exchange.part === undefined ? this.#awaited(request, refuse) : (): void => undefined;
    if (request.headers.expect !== undefined) invite(exchange.response);
    void promise.then((outcome) => {
      if ('kind' in outcome) this.#enter(outcome, exchange, endpoint, done);
      else done(outcome);
    });
  }
}
