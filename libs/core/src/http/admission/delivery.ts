import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Answer } from '../../wire/answer.js';
import { StreamBody } from '../../wire/stream.body.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import type { Exchange } from '../exchange.js';
import { AnswerWatch } from '../answers/answer.watch.js';
import { Admission } from './admission.js';
import { ClientWaits } from './client.waits.js';
import { StreamPlaces } from './stream.places.js';

/** The delivery of an answer: its request is no work any more, but its client may be long in reading. */
@Injectable()
export class Delivery implements OnApplicationShutdown {
  readonly #unread: ClientWaits;
  readonly #streams: StreamPlaces;

  constructor(
    { options: { maximumSending = 1000 } }: EndpointDirectory,
    private readonly admission: Admission,
    private readonly answers: AnswerWatch,
  ) {
    // How long a client may read nothing is its endpoint's to say.
    this.#unread = new ClientWaits(maximumSending, 0);
    this.#streams = new StreamPlaces(admission, this.#unread);
  }

  /**
   * Gives the place of an answered request back, and sees to it that its client reads. A stream is made while it is
   * read, so that it has a place meanwhile.
   */
  sent(exchange: Exchange, { body }: Answer): void {
    const { response, lane, responder } = exchange;
    if (body instanceof StreamBody) {
      if (response === undefined) return;
      this.answers.over(response, body.stallLimit);
      if (lane !== undefined && body.isLasting) this.admission.leave(exchange);
      else if (lane !== undefined) this.#streams.follow(exchange, response, lane);
      return;
    }
    if (lane !== undefined) this.admission.leave(exchange);
    // Nearly every answer is with the operating system by now. To keep those would be most of what the collector does.
    if (response === undefined || (response.writableEnded && response.writableLength === 0)) return;
    if (responder !== undefined) this.answers.over(response, responder.style.settings.stallTimeout);
    const leave = this.#unread.begin({
      // On HTTP/2 a response does not tell that it is destroyed; its socket tells of its stream.
      message: response.req.socket,
      giveUp: () => {
        response.destroy();
      },
    });
    response.once('close', leave);
  }

  onApplicationShutdown(): void {
    this.#unread.stop();
    this.#streams.stop();
  }
}
