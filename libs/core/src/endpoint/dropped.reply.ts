import { StreamBody } from '../wire/stream.body.js';
import { RawReply } from './reply.js';

/** Closes the stream of a reply that nobody sends: whoever makes it may hold a connection of the database. */
export function dropReply(reply: unknown): void {
  if (reply instanceof RawReply && reply.body instanceof StreamBody) reply.body.close();
}
