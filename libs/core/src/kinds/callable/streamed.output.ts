import { Readable } from 'node:stream';
import { RawReply } from '../../endpoint/reply.js';
import type { Cancellation } from '../../limits/cancellation.js';
import { StreamBody } from '../../wire/stream.body.js';
import { linesOfContent } from './content.coding.js';
import { ItemSource } from './item.source.js';

type Chunk = string | Uint8Array;

/** The form in which a chunk is written, by what the first one is. */
interface Form {
  readonly contentType: string;
  write(chunk: unknown): Chunk | Promise<Chunk>;
}

/** Writes an object of a stream. */
export type LineWriter = (item: unknown) => Promise<string>;

/** The part of a request that a stream which answers it needs. */
export interface Flowing {
  readonly cancellation: Cancellation;
  readonly stallLimit: number;
  /** Is told what a source throws when it is closed. */
  readonly onError: (error: unknown) => void;
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * Makes a reply that flows: texts and bytes as they are, objects as lines of JSON. It waits for the first item, so that
 * an early failure is still an answer in the envelope.
 */
export async function streamedReply(
  items: AsyncIterable<unknown>,
  line: LineWriter,
  flowing: Flowing,
): Promise<RawReply> {
  const source = new ItemSource(items, flowing.cancellation, flowing.onError);
  try {
    const first = await source.next();
    const form = formOf(first.done === true ? undefined : first.value, line);
    const begun = first.done === true ? undefined : { written: await form.write(first.value) };
    const flow = body(source, chunks(source, begun, form), flowing);
    return RawReply.given(flow, form.contentType);
  } catch (error) {
    source.close();
    throw error;
  }
}

/**
 * Sends a Response of the Fetch standard as it is, without headers that have a place of their own here. It waits for the
 * first bytes, as with other streams.
 *
 * @throws TypeError where somebody has read its body
 */
export async function responseReply(response: Response, flowing: Flowing): Promise<RawReply> {
  const { body: stream, status } = response;
  if (response.bodyUsed) throw new TypeError('The body of the Response was read already: give a clone of it');
  const isFetched = response.type !== 'default';
  const contentType = response.headers.get('content-type');
  const headers = [...response.headers].filter(([name]) => !keptBack.has(name));
  const reply = (body: string | StreamBody, first: Uint8Array | undefined): RawReply => {
    const type = contentType ?? (first === undefined ? '' : 'application/octet-stream');
    const lines = linesOfContent(headers, isFetched, first);
    return RawReply.given(body, type, lines, status, isFetched);
  };
  if (stream === null) return reply('', undefined);
  const source = new ItemSource(stream as AsyncIterable<unknown>, flowing.cancellation, flowing.onError);
  const form: Form = { contentType: '', write: asItIs };
  try {
    const first = await source.next();
    const begun = first.done === true ? undefined : { written: asItIs(first.value) };
    const bytes = begun === undefined ? undefined : Buffer.from(begun.written);
    return reply(body(source, chunks(source, begun, form), flowing), bytes);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Headers of a Response that have a place of their own, or are another request's: the log has this one under its own id. */
const keptBack: ReadonlySet<string> = new Set(['content-type', 'x-request-id']);

/** A body that closes its source with itself, whether anybody has read of it or not. */
function body(
  source: ItemSource,
  written: AsyncIterable<Chunk>,
  { cancellation, stallLimit }: Flowing,
): StreamBody {
  const readable = Readable.from(written, { objectMode: false });
  const closed = (): void => {
    source.close();
    if (!readable.readableEnded) cancellation.cancel(new Error('the client has gone'));
  };
  readable.once('close', closed);
  return new StreamBody(readable, stallLimit, closed);
}

async function* chunks(
  source: ItemSource,
  begun: { readonly written: Chunk } | undefined,
  form: Form,
): AsyncGenerator<Chunk> {
  if (begun === undefined) return;
  yield begun.written;
  yield* rest(source, (item) => form.write(item));
}

async function* rest(source: ItemSource, write: Form['write']): AsyncGenerator<Chunk> {
  for (;;) {
    const { done, value } = await source.next();
    if (done === true) return;
    yield await write(value);
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
