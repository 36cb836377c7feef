import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';

/** A server-sent event as it came. */
export interface Heard {
  readonly event: string;
  readonly data: unknown;
}

/** Waits for events that have not come yet. */
interface Waiting {
  readonly isThere: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A client of a stream of events, which remembers what it heard. */
export class Listener {
  readonly events: Heard[] = [];
  /** The last id that was said. */
  lastId = '';
  /** What was said of the next connection, in milliseconds; undefined for nothing. */
  retry: number | undefined;
  isOver = false;
  #rest = '';
  #event = '';
  #data: string[] = [];
  readonly #known = new Set<string>();
  readonly #waiting = new Set<Waiting>();

  private constructor(
    private readonly request: ClientRequest,
    readonly answer: IncomingMessage,
  ) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => {
      this.#read(text);
    });
    answer.on('error', () => undefined);
    answer.once('close', () => {
      this.isOver = true;
      this.#wake();
    });
  }

  /** Opens a stream; an answer that is none is over at once, and has its text as the only event. */
  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Listener> {
    const request = get(url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } });
    request.on('error', () => undefined);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return new Listener(request, answer);
  }

  get status(): number {
    return this.answer.statusCode ?? 0;
  }

  /** The events of a name. */
  named(event: string): readonly unknown[] {
    return this.events.filter((one) => one.event === event).map(({ data }) => data);
  }

  /** Waits until something is true of what was heard. @throws Error if the stream ends before */
  async until(isThere: (listener: this) => boolean): Promise<this> {
    const there = (): boolean => isThere(this);
    const heard = new Promise<void>((resolve, reject) => {
      this.#waiting.add({ isThere: there, resolve, reject });
    });
    this.#wake();
    await heard;
    return this;
  }

  /** Waits for the end. */
  async ended(): Promise<this> {
    return this.until(({ isOver }) => isOver);
  }

  /** Forgets what was heard. */
  forget(): void {
    this.events.length = 0;
  }

  close(): void {
    this.request.destroy();
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    this.#wake();
  }

  #line(line: string): void {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.lastId = value;
    else if (name === 'retry') this.retry = Number(value);
    else if (line === '' && this.#data.length > 0) {
      const data = JSON.parse(this.#data.join('\n')) as unknown;
      if (this.#isNew(data)) this.events.push({ event: this.#event, data });
      this.#data = [];
    }
  }

  /**
   * True for all but a change that was told in these very words. A first page has what is committed; its changes are told
   * behind it for as long as an older transaction is open, which may be one of another test on the same server.
   */
  #isNew(data: unknown): boolean {
    if (this.#event !== 'snapshot' && this.#event !== 'changed') return true;
    const told = Reflect.get(Object(data) as object, 'data') as unknown;
    const records = (Array.isArray(told) ? told : [told]).map((record) => JSON.stringify(record));
    const isKnown = this.#event === 'changed' && records.every((record) => this.#known.has(record));
    for (const record of records) this.#known.add(record);
    return !isKnown;
  }

  #wake(): void {
    for (const waiting of this.#waiting) {
      if (waiting.isThere()) waiting.resolve();
      else if (this.isOver) waiting.reject(new Error('The stream ended before it told this'));
      else continue;
      this.#waiting.delete(waiting);
    }
  }
}
