/** A server-sent event. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Reads server-sent events, and what they say of the connection (HTML, 9.2.6). */
export class EventParser {
  /** The last id that stood in front of an end of an event; empty for none. */
  lastId = '';
  /** The time to wait before the next connection, in milliseconds; undefined where nothing was said. */
  retry: number | undefined;
  #rest = '';
  #id = '';
  #name = '';
  #data: string[] = [];

  /** @param lastId of the connection before */
  constructor(lastId: string) {
    this.lastId = this.#id = lastId;
  }

  /** Takes the next text. @returns the events that are whole now */
  *read(text: string): Generator<ServerEvent, void, undefined> {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') {
        this.#field(line);
        continue;
      }
      const event = this.#end();
      if (event !== undefined) yield event;
    }
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const [name, value] =
      colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    if (name === 'event') this.#name = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
  }

  #end(): ServerEvent | undefined {
    this.lastId = this.#id;
    const event =
      this.#data.length === 0 ? undefined : { name: this.#name || 'message', data: this.#data.join('\n') };
    this.#name = '';
    this.#data = [];
    return event;
  }
}
