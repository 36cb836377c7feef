import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

/** An answer as it came, its body also parsed where it is JSON. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

/** What a client sends that libraries will not: no content type, odd paths, bytes that are no text. */
export interface RawRequest {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Sends exactly what it is told: the path is not touched and no header is added but Host, Connection and the length. */
export const sendRaw = (
  base: string,
  method: string,
  path: string,
  { headers, body }: RawRequest = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parsed(text) });
        });
      },
    );
    sent.on('error', reject).end(body);
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
