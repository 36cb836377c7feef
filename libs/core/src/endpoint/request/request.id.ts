import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const wellFormed = /^[\w.-]{1,128}$/;

/**
 * Gives the id that a client or a proxy gave a request in `X-Request-Id`; else a random one. An id that is not
 * well-formed could forge lines of a log.
 */
export function requestIdOf(headers: IncomingHttpHeaders, random: () => string = randomUUID): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && wellFormed.test(sent) ? sent : random();
}
