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

  /** Waits until something is true of what was heard. */
  async until(isThere: (listener: this) => boolean): Promise<this> {
    const there = (): boolean => isThere(this);
    if (!there()) await new Promise<void>((resolve) => this.#waiting.add({ isThere: there, resolve }));
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
      this.events.push({ event: this.#event, data: JSON.parse(this.#data.join('\n')) as unknown });
      this.#data = [];
    }
  }

  #wake(): void {
    for (const waiting of this.#waiting) {
      if (!waiting.isThere()) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}
