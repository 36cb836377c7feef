import { EventParser, type ServerEvent } from './event.parser.js';

/** An event of a stream. Behind `reset`, what came before counts no more. */
export type LiveEvent<R> =
  | { readonly kind: 'snapshot'; readonly data: readonly R[] }
  | { readonly kind: 'changed'; readonly data: R }
  | { readonly kind: 'left'; readonly id: unknown }
  | { readonly kind: 'reset' }
  | { readonly kind: 'connected' };

/** Options of {@link liveEvents}. */
export interface LiveEventsOptions {
  /** The headers of each connection; a function is asked for them anew, for a token that ends. Default none. */
  readonly headers?:
    Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  /** Default the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Ends the events. */
  readonly signal?: AbortSignal;
  /** Is told why a connection ended that is tried again. */
  readonly onInterruption?: (reason: unknown) => void;
  /** The longest time between two connections, in milliseconds. Default 30,000. */
  readonly maximumWait?: number;
}

/** The service refuses a stream, and will again. */
export class LiveRefused extends Error {
  override readonly name = 'LiveRefused';

  /** @param body the text of the answer */
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`The stream was refused: ${status}`);
  }
}

/** The time before the second try, in milliseconds. */
const usualWait = 1000;

/** The longest time that a timer waits, in milliseconds. */
const longestPause = 2 ** 31 - 1;

/**
 * The events of a list or a record, for as long as somebody takes them. A connection that ends is opened again, and goes on where it
 * was.
 *
 * @throws LiveRefused where the service says no, and would say so again
 */
export async function* liveEvents<R>(
  url: string | URL,
  options: LiveEventsOptions = {},
): AsyncGenerator<LiveEvent<R>, void, undefined> {
  const { signal, onInterruption, maximumWait = 30_000 } = options;
  let lastId = '';
  let failures = 0;
  while (!isOver(signal)) {
    const parser = new EventParser(lastId);
    let wait: number | undefined;
    try {
      const response = await connected(url, lastId, options);
      wait = retryAfterOf(response);
      if (response.ok) {
        failures = 0;
        yield { kind: 'connected' };
        for await (const event of eventsOf<R>(response, parser)) yield event;
      } else {
        const body = await response.text();
        if (response.status < 500 && response.status !== 429) throw new LiveRefused(response.status, body);
        onInterruption?.(new LiveRefused(response.status, body));
      }
    } catch (error) {
      if (error instanceof LiveRefused) throw error;
      if (isOver(signal)) return;
      onInterruption?.(error);
    }
    ({ lastId } = parser);
    failures += 1;
    const own = Math.min(maximumWait, usualWait * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
    // A time that no timer can wait would be none.
    await pause(Math.min(wait ?? parser.retry ?? own, maximumWait, longestPause), signal);
  }
}

function isOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

async function connected(
  url: string | URL,
  lastId: string,
  { headers = {}, fetch: send = fetch, signal }: LiveEventsOptions,
): Promise<Response> {
  const own = typeof headers === 'function' ? await headers() : headers;
  const resuming = lastId === '' ? {} : { 'Last-Event-ID': lastId };
  const asked = { ...own, Accept: 'text/event-stream', ...resuming };
  return send(url, { headers: asked, cache: 'no-store', ...(signal === undefined ? {} : { signal }) });
}

async function* eventsOf<R>(
  response: Response,
  parser: EventParser,
): AsyncGenerator<LiveEvent<R>, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await reader.read();
      if (read.done) return;
      for (const event of parser.read(decoder.decode(read.value as Uint8Array, { stream: true }))) {
        const known = liveEvent<R>(event);
        if (known !== undefined) yield known;
      }
    }
  } finally {
    // Whoever takes no more events wants no more connection.
    await reader.cancel().catch(() => undefined);
  }
}

/** The event; undefined for one that says nothing. The name of its only member is in the casing of the service. */
function liveEvent<R>({ name, data }: ServerEvent): LiveEvent<R> | undefined {
  const [value] = Object.values(JSON.parse(data) as Readonly<Record<string, unknown>>);
  switch (name) {
    case 'snapshot':
      return { kind: name, data: (Array.isArray(value) ? value : [value]) as readonly R[] };
    case 'changed':
      return { kind: name, data: value as R };
    case 'left':
      return { kind: name, id: value };
    case 'reset':
      return { kind: name };
    default:
      return undefined;
  }
}

function retryAfterOf({ headers, ok }: Response): number | undefined {
  const seconds = Number(headers.get('Retry-After') ?? NaN);
  return ok || !(seconds >= 0) ? undefined : seconds * 1000;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
