import { Agent, request } from 'node:http';
import { stopwatch } from './stalls.mjs';

/**
 * A client that keeps its connections.
 *
 * @param connections how many requests are on their way at once at most; others wait, and their time counts from when
 *   they are sent
 * @param patience an answer later than this is none, in milliseconds
 */
export function clientOf(url, { connections = 64, patience = 30_000 } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });

  /** What came back: `status` and `body`, or the `error` where no answer came; `took` in milliseconds, without stalls. */
  const send = (method, path, body, headers = {}) =>
    new Promise((resolve) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      let took = stopwatch();
      const done = (answer) => resolve({ ...answer, took: took() });
      const sent = request(
        new URL(path, url),
        {
          agent,
          method,
          headers: {
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
            ...headers,
          },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.once('error', (error) => done({ error }));
          response.once('end', () => {
            const { statusCode: status, headers } = response;
            done({ status, headers, body: parsed(Buffer.concat(chunks).toString()) });
          });
        },
      );
      sent.once('socket', () => (took = stopwatch()));
      sent.once('error', (error) => done({ error }));
      sent.setTimeout(patience, () => sent.destroy(new Error('no answer in time')));
      sent.end(text);
    });

  return {
    agent,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    close: () => agent.destroy(),
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
