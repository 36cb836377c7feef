import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { StreamBody } from '../../wire/stream.body.js';
import { hasLeft } from '../exchange.js';
import { cutShort } from './answer.flow.js';

/**
 * Watches a body flow to its client. A client that has gone closes it. An error after the first byte can only be told by
 * cutting the answer short.
 */
export function watchFlow(body: StreamBody, response: ServerResponse): void {
  const end = (): void => {
    body.close();
  };
  // Who has gone already closes nothing any more.
  if (hasLeft(response)) end();
  else response.once('close', end);
  body.readable.once('error', (error) => {
    new Logger('Endpoints').error(`A streamed answer ended early: ${error.message}`, error.stack);
    cutShort(response);
  });
}
