import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { StreamBody } from '../../wire/stream.body.js';

/**
 * Watches a body flow to its client. A client that stops reading is cut off, because what stands still holds memory
 * and maybe a connection of the database. An error after the first byte can only be told by cutting the answer short.
 */
export function watchFlow(body: StreamBody, response: ServerResponse): void {
  const { readable, stallLimit } = body;
  let stalledSince: number | undefined;
  const look = (): void => {
    stalledSince = response.writableNeedDrain ? (stalledSince ?? performance.now()) : undefined;
    if (stalledSince !== undefined && performance.now() - stalledSince >= stallLimit) response.destroy();
  };
  const timer = stallLimit === 0 ? undefined : setInterval(look, Math.max(10, stallLimit / 4)).unref();
  const end = (): void => {
    body.close();
  };
  // Who has gone already closes nothing any more.
  if (response.destroyed) end();
  else response.once('close', end);
  readable.once('error', (error) => {
    new Logger('Endpoints').error(`A streamed answer ended early: ${error.message}`, error.stack);
    response.destroy();
  });
  readable.once('close', () => {
    clearInterval(timer);
  });
}
