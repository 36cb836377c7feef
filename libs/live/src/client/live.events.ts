import { EventParser, type ServerEvent } from './event.parser.js';
import { readWithin } from './followed.redirects.js';

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
  /**
   * The longest time that a connection may bring nothing, in milliseconds; then it is cut, and opened again. It is to be longer than the
   * `heartbeat` of the service. Default 45,000.
   */
  readonly maximumSilence?: number;
}

/** The service refuses a stream, or answers with something else, and will again. */
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

/** The text of an answer that browsers show nothing of. */
const moved = 'The service says to ask at another address';

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
  const { signal, onInterruption, maximumWait = 30_000, maximumSilence = 45_000 } = options;
  let lastId = '';
  let failures = 0;
  while (!isOver(signal)) {
    const parser = new EventParser(lastId);
    const silence = new ConnectionSilence(maximumSilence, signal);
    let wait: number | undefined;
    try {
      const response = await connected(url, lastId, options, silence);
      wait = retryAfterOf(response);
      if (isStream(response)) {
        yield { kind: 'connected' };
        for await (const event of eventsOf<R>(response, parser, silence)) {
          // A head alone is no sign that the next connection will bring more.
          failures = 0;
          if (event !== undefined) yield event;
        }
      } else {
        const { status, type } = response;
        const text = await silence.until(response.text());
        const refusal = new LiveRefused(status, type === 'opaqueredirect' ? moved : text);
        if (status < 500 && status !== 429) throw refusal;
        onInterruption?.(refusal);
      }
    } catch (error) {
      if (error instanceof LiveRefused) throw error;
      if (isOver(signal)) return;
      onInterruption?.(error);
    } finally {
      // Whoever leaves before the first event has no reader that ends it.
      silence.end();
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

/** True of a stream; a list that is not live answers with its records, and a 204 has nothing. */
function isStream({ ok, headers }: Response): boolean {
  return ok && /^text\/event-stream\b/i.test(headers.get('Content-Type') ?? '');
}

async function connected(
  url: string | URL,
  lastId: string,
  { headers = {}, fetch: send = fetch }: LiveEventsOptions,
  silence: ConnectionSilence,
): Promise<Response> {
  const own = typeof headers === 'function' ? await headers() : headers;
  const resuming = lastId === '' ? {} : { 'Last-Event-ID': lastId };
  const asked = { ...own, Accept: 'text/event-stream', ...resuming };
  const init = { headers: asked, cache: 'no-store', signal: silence.signal } as const;
  // A page may know its service by a path alone, and say by `<base>` where that begins.
  const { baseURI } = Object(Reflect.get(globalThis, 'document')) as { readonly baseURI?: string };
  const { href } = Object(Reflect.get(globalThis, 'location')) as { readonly href?: string };
  const isOpen = Object.keys(own).length === 0;
  return silence.until(isOpen ? send(url, init) : readWithin(send, new URL(url, baseURI ?? href).href, init));
}

/** The events as they come; undefined for one that says nothing but that the connection lives. */
async function* eventsOf<R>(
  response: Response,
  parser: EventParser,
  silence: ConnectionSilence,
): AsyncGenerator<LiveEvent<R> | undefined, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await silence.until(reader.read());
      if (read.done) return;
      const text = decoder.decode(read.value as Uint8Array, { stream: true });
      for (const event of parser.read(text)) yield liveEvent<R>(event);
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
    // One that is aborted by now says so never again.
    if (isOver(signal)) done();
    else signal?.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}

/** The silence of a connection. One that lasts too long cuts it: a connection that is dead may never say so. */
class ConnectionSilence {
  readonly #cut = new AbortController();
  /** Aborted by the silence, and by whoever wants no connection any more. */
  readonly signal: AbortSignal;

  /** @param longest in milliseconds */
  constructor(
    private readonly longest: number,
    signal: AbortSignal | undefined,
  ) {
    this.signal = signal === undefined ? this.#cut.signal : AbortSignal.any([signal, this.#cut.signal]);
  }

  /** Ends the connection, if it is still there. */
  end(): void {
    this.#cut.abort();
  }

  /** Waits for what is to come. Only then silence counts: whoever takes their time with events hears nothing meanwhile. */
  async until<T>(coming: Promise<T>): Promise<T> {
    const { longest } = this;
    const timer = setTimeout(
      () => {
        this.#cut.abort(new Error(`Nothing came for ${longest} ms`));
      },
      Math.min(longest, longestPause),
    );
    try {
      return await coming;
    } finally {
      clearTimeout(timer);
    }
  }
}
