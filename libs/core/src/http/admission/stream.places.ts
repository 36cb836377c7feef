import type { ServerResponse } from 'node:http';
import { hasLeft, type Exchange } from '../exchange.js';
import type { Admission } from './admission.js';
import type { ClientWaits } from './client.waits.js';
import type { Lane } from './lane.js';
import { WaitingLine } from './waiting.line.js';

/** The time between two looks at streams, in milliseconds. */
const period = 100;

/** A stream on its way to its client. */
interface Flow {
  readonly exchange: Exchange;
  readonly response: ServerResponse;
  /** The lane of its place while it is made. */
  readonly lane: Lane;
  /** Ends its wait for the client; undefined while it is made. */
  resume: (() => void) | undefined;
}

/**
 * The places of answers that are made while they are read. An answer that waits for its client is no work: it gives its
 * place back. It takes a place again when the client reads on, whoever has them by then.
 */
export class StreamPlaces {
  readonly #flows = new WaitingLine<Flow>();
  #timer: NodeJS.Timeout | undefined;

  /** @param unread where those wait that clients do not read */
  constructor(
    private readonly admission: Pick<Admission, 'leave' | 'takeAgain'>,
    private readonly unread: ClientWaits,
  ) {}

  follow(exchange: Exchange, response: ServerResponse, lane: Lane): void {
    this.#flows.join({ exchange, response, lane, resume: undefined });
    this.#timer ??= setInterval(() => {
      this.#look();
    }, period).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const standing of this.#flows.standings) {
      const { response, resume } = standing.who;
      if (hasLeft(response)) {
        resume?.();
        this.#flows.leave(standing);
        // What is whole waits for its client as well, until its last bytes are out.
      } else if (response.writableNeedDrain || response.writableEnded) this.#pause(standing.who);
      else this.#resume(standing.who);
    }
    if (this.#flows.length === 0) this.stop();
  }

  #pause(flow: Flow): void {
    if (flow.resume !== undefined) return;
    const { exchange, response } = flow;
    this.admission.leave(exchange);
    flow.resume = this.unread.begin({
      message: response.req.socket,
      giveUp: () => {
        response.destroy();
      },
    });
  }

  #resume(flow: Flow): void {
    if (flow.resume === undefined) return;
    flow.resume();
    flow.resume = undefined;
    this.admission.takeAgain(flow.exchange, flow.lane);
  }
}
