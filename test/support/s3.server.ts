import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The keys that the server knows. */
export const s3Keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', region: 'eu-central-1' };

const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Percent-encoding as AWS has it: every byte but letters, digits and `-._~`. */
const encoded = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[\w.~-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');

/** A text that came percent-encoded in some way, in the way of AWS. */
const canonical = (text: string): string => encoded(decodeURIComponent(text));

/** The parameters of a query, sorted by their names and then by their values. */
const sorted = (parts: readonly string[]): string =>
  parts
    .map((part) => part.split('=').map(canonical))
    .toSorted(([name = '', value = ''], [other = '', more = '']) =>
      name === other ? Buffer.compare(Buffer.from(value), Buffer.from(more)) : name < other ? -1 : 1,
    )
    .map((part) => part.join('='))
    .join('&');

/** The signature that a request must have, made of what came over the wire as AWS writes it (`Trimall` for headers). */
const signatureOf = ({ method = '', url = '', headers }: IncomingMessage): string => {
  const [path = '', query = ''] = url.split('?');
  const parts = query.split('&').filter((part) => !part.startsWith('X-Amz-Signature='));
  const valueOf = (name: string): string =>
    decodeURIComponent(parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? '');
  const signed = valueOf('X-Amz-SignedHeaders');
  const lines = signed.split(';').map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .split(/ +/)
        .join(' ')}\n`,
  );
  const request = `${method}\n${path.split('/').map(canonical).join('/')}\n${sorted(parts)}\n${lines.join('')}\n${signed}\nUNSIGNED-PAYLOAD`;
  const time = valueOf('X-Amz-Date');
  const date = time.slice(0, 8);
  const scope = `${date}/${s3Keys.region}/s3/aws4_request`;
  const hash = createHash('sha256').update(request).digest('hex');
  const dated = mac(mac(mac(`AWS4${s3Keys.secretAccessKey}`, date), s3Keys.region), 's3');
  return mac(mac(dated, 'aws4_request'), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash}`).toString('hex');
};

/** A service that speaks as much of S3's protocol as files need, and believes nobody: it makes every signature anew. */
export class S3Server {
  readonly objects = new Map<string, Buffer>();
  /** The status that it answers everything with, or that it cuts every connection; undefined while it works. */
  fails: number | 'cut' | undefined;
  /** The codings that uploads said of themselves, which nobody signs. */
  readonly #codings = new Map<string, string>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const end = (status: number, headers = {}, body = Buffer.alloc(0)): void => {
      response.writeHead(status, headers).end(body);
    };
    if (this.fails === 'cut') {
      request.socket.destroy();
      return;
    }
    if (this.fails !== undefined) {
      end(this.fails);
      return;
    }
    if (searchParams.get('X-Amz-Signature') !== signatureOf(request)) {
      end(403);
      return;
    }
    if (request.method === 'PUT') {
      const bytes = Buffer.concat(chunks);
      const hash = createHash('sha256').update(bytes).digest('base64');
      if (hash === request.headers['x-amz-checksum-sha256']) {
        this.objects.set(pathname, bytes);
        this.#codings.set(pathname, request.headers['content-encoding'] ?? '');
      }
      end(this.objects.has(pathname) ? 200 : 400);
      return;
    }
    const found = this.objects.get(pathname);
    if (request.method === 'DELETE') this.objects.delete(pathname);
    if (request.method === 'DELETE' || found === undefined) {
      end(request.method === 'DELETE' ? 204 : 404);
      return;
    }
    const type = searchParams.get('response-content-type') ?? 'application/octet-stream';
    const disposition = searchParams.get('response-content-disposition') ?? '';
    const coding = this.#codings.get(pathname) ?? '';
    const part = request.headers.range === undefined ? found : found.subarray(0, 512);
    end(
      part === found && request.headers.range === undefined ? 200 : 206,
      {
        'Content-Type': type,
        'Content-Disposition': disposition,
        ...(coding === '' ? {} : { 'Content-Encoding': coding }),
        'Content-Range': `bytes 0-${part.length - 1}/${found.length}`,
      },
      Buffer.from(part),
    );
  }
}
