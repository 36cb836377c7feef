import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The time that a client has to read its last answer, and to end what it sends, in milliseconds. */
const lingerTime = 1000;

/** The size of what is still taken of a body and dropped meanwhile, in bytes. */
const lingerBytes = 8_388_608;

const ending = new WeakSet<Duplex>();

/** True if a connection has had its last answer. */
export function isEnding(socket: Duplex): boolean {
  return ending.has(socket);
}

/**
 * Ends a connection on which nothing more is read as a request. It is not cut at once: the system answers bytes to a
 * closed connection with a reset, and the client loses the answer that it has not read yet. It is cut soon, because a
 * client that never closes would keep it for ever.
 */
export function endSoon(socket: Duplex): () => void {
  ending.add(socket);
  const cut = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(cut, lingerTime).unref();
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.end();
  return cut;
}

/**
 * Closes a connection after the answer to a request that is not there as a whole. To find the beginning of the next
 * request, the rest would have to be read, however long it is.
 */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent || request.httpVersionMajor !== 1) return;
  response.setHeader('Connection', 'close');
  // Before Node's own listener, which closes at once.
  response.prependOnceListener('finish', () => {
    const { socket } = request;
    const linger = (): void => {
      const cut = endSoon(socket);
      let left = lingerBytes;
      request
        .on('data', (chunk: Buffer) => {
          left -= chunk.length;
          if (left < 0) cut();
        })
        .once('end', cut)
        .resume();
    };
    socket.destroySoon = linger;
  });
}
