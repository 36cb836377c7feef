import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { Shutdown } from '../../endpoint/shutdown.js';
import { Answer, type HeaderLines } from '../../wire/answer.js';
import { outcomes } from '../../wire/outcome.table.js';
import { StreamBody } from '../../wire/stream.body.js';
import { Delivery } from '../admission/delivery.js';
import { closeUnread } from '../closing/lingering.close.js';
import type { Exchange } from '../exchange.js';
import { Observation } from '../observation/observation.js';

/** Writes an answer to a response, with the id of its request. */
export type WriteAnswer<Response> = (response: Response, answer: Answer, requestId: string) => void;

/** Sends answers on both roads: what is true of the connection and of the request's place is the same on each. */
@Injectable()
export class AnswerSender {
  constructor(
    private readonly shutdown: Shutdown,
    private readonly observation: Observation,
    private readonly delivery: Delivery,
  ) {}

  /** @param to the response as `write` knows it: the platform's, or Node's */
  send<Response>(exchange: Exchange, answer: Answer, to: Response, write: WriteAnswer<Response>): void {
    const { raw, response, lane } = exchange;
    if (this.shutdown.hasBegun) closeAfter(response);
    if (this.observation.isOn) this.#tellTiming(exchange);
    if (response !== undefined && !raw.complete && exchange.hasBody && !isDropped(exchange, answer))
      closeUnread(raw, response);
    const requestId = exchange.responder?.request.requestId ?? EndpointRequest.idOf(raw.headers);
    write(to, exchange.limitLines === undefined ? answer : withLines(answer, exchange.limitLines), requestId);
    // Nearly every answer is with the operating system by now, and had no place to give back.
    const isOut = lane === undefined && response?.writableEnded === true && response.writableLength === 0;
    const isStream = answer.body instanceof StreamBody;
    if (!isOut || isStream) this.delivery.sent(exchange, answer);
    // A part shares what it has with the whole, and no connection keeps it.
    if (isStream) response?.once('close', exchange.letGo.bind(exchange));
    else if (exchange.part === undefined) exchange.letGo();
  }

  #tellTiming(exchange: Exchange): void {
    const timing = this.observation.timingOf(exchange);
    if (timing !== undefined) exchange.response?.setHeader('Server-Timing', timing);
  }
}

/** The largest body that is read to its end and dropped, so that its connection serves on, in bytes. */
const droppedBytes = 8_388_608;

/** True if a limit has refused a request whose body is on its way and not long: Node reads past it to the next request. */
function isDropped({ raw: { headers }, isBodyAwaited }: Exchange, { statusCode }: Answer): boolean {
  const isLimit = isBodyAwaited && statusCode === outcomes.tooManyRequests.statusCode;
  return (
    isLimit && headers.expect === undefined && Number(headers['content-length'] ?? Infinity) <= droppedBytes
  );
}

function withLines(answer: Answer, lines: HeaderLines): Answer {
  const { statusCode, body, headers, contentType, entityTag, location } = answer;
  return new Answer(statusCode, body, [...headers, ...lines], contentType, entityTag, location);
}

/** Has the client open another connection for its next request, which then reaches another process. */
export function closeAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false && response.req.httpVersionMajor === 1)
    response.setHeader('Connection', 'close');
}
