import { Readable } from 'node:stream';
import { RawReply } from '../endpoint/reply.js';
import type { Cancellation } from '../records/cancellation.js';
import type { HeaderLines } from '../wire/answer.js';
import { StreamBody } from '../wire/stream.body.js';

type Chunk = string | Uint8Array;

/** How a chunk is written, by what the first one is. */
interface Form {
  readonly contentType: string;
  write(chunk: unknown): Chunk | Promise<Chunk>;
}

/** Writes an object of a stream. */
export type LineWriter = (item: unknown) => Promise<string>;

/** What streams need of the request they answer. */
interface Flowing {
  readonly cancellation: Cancellation;
  readonly stallLimit: number;
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * A reply that flows: texts and bytes as they are, objects as lines of JSON. The first item is waited for, so that
 * what fails at once is still an answer in the envelope.
 */
export async function streamedReply(
  source: AsyncIterable<unknown>,
  line: LineWriter,
  flowing: Flowing,
): Promise<RawReply> {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  const form = formOf(first.done === true ? undefined : first.value, line);
  const begun = first.done === true ? undefined : { written: await form.write(first.value) };
  return new RawReply(body(chunks(iterator, begun, form), flowing), form.contentType);
}

/** A Response of the Fetch standard, sent as it is. */
export function responseReply(response: Response, flowing: Flowing): RawReply {
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
  const headers: HeaderLines = [...response.headers].filter(([name]) => !/^content-type$/.test(name));
  const { body: stream, status } = response;
  if (stream === null) return new RawReply('', contentType, headers, status);
  return new RawReply(body(stream as AsyncIterable<Chunk>, flowing), contentType, headers, status);
}

function body(source: AsyncIterable<Chunk>, { cancellation, stallLimit }: Flowing): StreamBody {
  const readable = Readable.from(source, { objectMode: false });
  readable.once('close', () => {
    if (!readable.readableEnded) cancellation.cancel(new Error('the client has gone'));
  });
  return new StreamBody(readable, stallLimit);
}

async function* chunks(
  iterator: AsyncIterator<unknown>,
  begun: { readonly written: Chunk } | undefined,
  form: Form,
): AsyncGenerator<Chunk> {
  try {
    if (begun === undefined) return;
    yield begun.written;
    for (;;) {
      const { done, value } = (await iterator.next()) as IteratorResult<unknown, unknown>;
      if (done === true) return;
      yield await form.write(value);
    }
  } finally {
    // Whoever made the items may hold a cursor or a file.
    await iterator.return?.();
  }
}

function formOf(first: unknown, line: LineWriter): Form {
  if (typeof first === 'string') return { contentType: 'text/plain; charset=UTF-8', write: asItIs };
  if (first instanceof Uint8Array) return { contentType: 'application/octet-stream', write: asItIs };
  return { contentType: 'application/x-ndjson', write: async (item) => `${await line(item)}\n` };
}

function asItIs(chunk: unknown): Chunk {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk;
  throw new TypeError(`A stream of text or bytes has a ${typeof chunk} in it`);
}
