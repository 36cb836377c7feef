import { expect } from '@jest/globals';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { basename, join } from 'node:path';

/** The folder that takes what goes over the wire; nothing is recorded where the variable is not set. */
const folder = process.env['TEST_TRAFFIC'];

/** How much of an answer is kept as it is, in bytes; a hash stands for the rest. */
const kept = 65_536;

/** One request and the bytes that answered it. `npm run traffic` compares them with those of another run. */
interface Exchange {
  readonly file: string;
  readonly test: string;
  readonly combination: string;
  readonly request: string;
  answer: Buffer[];
}

/** Writes down every request to the server, and what it answers byte for byte, under the name of the test that sends it. */
export const recordTraffic = (server: Server, combination: string): void => {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const recorded = join(folder, `${process.pid}.ndjson`);
  const open = new WeakMap<Socket, Exchange>();
  const close = (socket: Socket): void => {
    const exchange = open.get(socket);
    open.delete(socket);
    if (exchange) appendFileSync(recorded, `${JSON.stringify({ ...exchange, answer: textOf(exchange) })}\n`);
  };
  server.prependListener('connection', (socket) => {
    const write = socket.write.bind(socket) as (...words: unknown[]) => boolean;
    socket.write = (...words: unknown[]) => {
      const [chunk, encoding] = words as [string | Uint8Array, BufferEncoding?];
      open
        .get(socket)
        ?.answer.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
      return write(...words);
    };
    socket.once('close', () => close(socket));
  });
  server.prependListener('request', ({ method, url, socket }) => {
    close(socket);
    const { testPath = '', currentTestName = '' } = expect.getState();
    const request = `${method ?? ''} ${url ?? ''}`;
    open.set(socket, { file: basename(testPath), test: currentTestName, combination, request, answer: [] });
  });
};

const textOf = ({ answer }: Exchange): string => {
  const bytes = Buffer.concat(answer);
  const rest = bytes.subarray(kept);
  const hash = rest.length === 0 ? '' : createHash('sha256').update(rest).digest('hex');
  return bytes.toString('latin1', 0, kept) + hash;
};
