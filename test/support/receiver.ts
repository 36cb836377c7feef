import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it came in. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as JSON. */
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A server that gets webhooks. */
export interface Receiver {
  readonly url: string;
  all(): readonly Received[];
  /** How it answers: 200 where nothing is said. */
  answer: (received: Received, response: ServerResponse) => void;
  /** Resolves once there are so many that meet a condition. */
  until(count: number, isMeant?: (one: Received) => boolean): Promise<readonly Received[]>;
  /** Forgets what came in. */
  clear(): void;
  close(): Promise<void>;
}

/** The time that is waited for webhooks, in milliseconds. */
const patience = 90_000;

const wellDone = (_received: Received, response: ServerResponse): void => {
  response.writeHead(200).end('thanks');
};

export const startReceiver = async (): Promise<Receiver> => {
  let all: Received[] = [];
  let waiting: (() => void)[] = [];
  const receiver: { answer: Receiver['answer'] } = { answer: wellDone };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { url: path = '', headers } = request;
      const received = { path, headers, body, event: JSON.parse(body) as Received['event'] };
      all.push(received);
      receiver.answer(received, response);
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const until: Receiver['until'] = (count, isMeant = () => true) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        const came = all.map(({ path, body }) => `${path} ${body}`).join('\n');
        reject(new Error(`${count} webhooks were waited for, there are ${all.length}:\n${came}`));
      }, patience);
      const look = (): void => {
        const meant = all.filter(isMeant);
        if (meant.length < count) return;
        clearTimeout(late);
        waiting = waiting.filter((one) => one !== look);
        resolve(meant);
      };
      waiting.push(look);
      look();
    });
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    all: () => all,
    until,
    clear: () => {
      all = [];
      receiver.answer = wellDone;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
};
