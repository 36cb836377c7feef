import type { Readable } from 'node:stream';
import { LostConnection } from '../errors/connection.failure.js';
import type { TextClient } from './new.clients.js';

/** A statement on its way, whose rows can be streamed. */
interface StreamedQuery {
  stream(options?: object): Readable;
}

/** Has streams of rows end with their connection: `mysql2` tells those alone who wait for a whole answer. */
export function endStreams(client: TextClient): void {
  const query = client.query.bind(client);
  client.query = (...asked) => {
    const sent = query(...asked);
    if (!isStreamed(sent)) return sent;
    const stream = sent.stream.bind(sent);
    sent.stream = (options) => endedWith(client, stream(options));
    return sent;
  };
}

function isStreamed(sent: unknown): sent is StreamedQuery {
  return typeof sent === 'object' && sent !== null && 'stream' in sent && typeof sent.stream === 'function';
}

function endedWith(client: TextClient, rows: Readable): Readable {
  const end = (error?: Error): void => {
    rows.destroy(new LostConnection(error));
  };
  client.once('error', end);
  client.once('end', end);
  return rows.once('close', () => {
    client.removeListener('error', end);
    client.removeListener('end', end);
  });
}
