import { Readable } from 'node:stream';
import type { ChangePlace } from '@nest-endpoints/core';
import type { Sight } from '@nest-endpoints/core/internal';
import { eventText, placeText, retryText } from './event.text.js';
import type { LiveListsSettings } from './live.lists.options.js';
import type { Follower, Told } from './sight.group.js';
import type { StreamPlace, StreamPlaces } from './stream.place.js';

/** The most bytes that a client may be behind, beside the first page. */
const mostBehind = 262_144;

/** The time that a client waits before it comes again, in milliseconds: not all of them at once. */
const leastRetry = 1000;
const mostRetry = 5000;

/** The parts that a stream is made of. */
export interface StreamParts {
  readonly sight: Sight;
  readonly places: StreamPlaces;
  readonly settings: LiveListsSettings;
  readonly word: (word: string) => string;
  /** The first page, which was read already; undefined where the stream begins without. */
  readonly first: Awaited<ReturnType<Sight['first']>>;
  /** The place that it was told up to before, and everything that it missed; undefined for one that begins anew. */
  readonly missed: { readonly place: StreamPlace; readonly told: Told } | undefined;
}

/** One stream to a client: it remembers which records it has sent, so that it tells of those alone that they left. */
export class LiveStream implements Follower {
  readonly readable: Readable;
  readonly begunTime = performance.now();
  sight: Sight;
  /** The time at which its request was judged. */
  judgedTime = performance.now();
  #isOver = false;
  #writtenTime = performance.now();
  /** The bytes of the first page, as long as they wait for the client. */
  #firstBytes = 0;
  /** The changes that it was told of while the first page was read; undefined when it is there. */
  #early: Told[] | undefined = [];
  /** True if too much has changed to tell meanwhile. */
  #mustRestart = false;
  readonly #sent = new Map<string, string>();
  #at: ChangePlace = { transaction: '0', id: '0' };
  #parts: Pick<StreamParts, 'places' | 'settings' | 'word'> | undefined;

  /** @param whenOver is told once, when nothing more is sent */
  constructor(
    sight: Sight,
    private readonly whenOver: (stream: LiveStream) => void,
  ) {
    this.sight = sight;
    this.readable = new Readable({ read: () => undefined });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Begins to tell.
   *
   * @param at the place up to which it needs not be told
   * @param isReset whether the client has something that it must forget
   */
  begin({ first, missed, ...parts }: StreamParts, at: ChangePlace, isReset: boolean): void {
    this.#parts = parts;
    this.#at = at;
    if (isReset) this.#write(eventText('reset', '{}'));
    if (missed !== undefined) {
      for (const [key, id] of missed.place.sent ?? []) this.#sent.set(key, id);
      this.#apply(missed.told);
    } else this.#show(first);
    this.#tellEarly();
  }

  tell(told: Told): void {
    if (this.#isOver) return;
    if (this.#early === undefined) this.#apply(told);
    else this.#early.push(told);
  }

  restart(): void {
    if (this.#isOver) return;
    // What is being read may be older than that of which there was too much.
    if (this.#early !== undefined) {
      this.#mustRestart = true;
      return;
    }
    this.#sent.clear();
    this.#write(eventText('reset', '{}') + placeText(''));
    if (!this.sight.wantsFirst) return;
    this.#early = [];
    this.sight.first().then(
      (first) => {
        if (this.#isOver) return;
        this.#show(first);
        this.#tellEarly();
      },
      () => {
        this.end();
      },
    );
  }

  /** Sends a sign of life where nothing else was sent for long. */
  beat(now: number, at: ChangePlace): void {
    const heartbeat = this.#parts?.settings.heartbeat ?? Infinity;
    if (this.#early !== undefined || now - this.#writtenTime < heartbeat) return;
    this.#at = at;
    this.#write(eventText('ping', '{}') + this.#placeText());
  }

  /** Ends it, for its client to come again. */
  end(): void {
    if (this.#isOver) return;
    const wait = leastRetry + Math.floor(Math.random() * (mostRetry - leastRetry));
    this.readable.push(retryText(wait));
    this.#finish();
  }

  /** Ends it, for its client to begin anew. */
  reset(): void {
    if (this.#isOver) return;
    this.readable.push(eventText('reset', '{}') + placeText(''));
    this.#finish();
  }

  /** Ends it where nobody reads any more. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.whenOver(this);
  }

  #finish(): void {
    this.readable.push(null);
    this.close();
  }

  #show(first: StreamParts['first']): void {
    if (first === undefined) {
      this.#write(eventText('ping', '{}') + this.#placeText());
      return;
    }
    for (const [key, { id }] of first.records) this.#sent.set(key, id);
    const text = eventText('snapshot', this.#member('data', first.data)) + this.#placeText();
    this.#firstBytes = Buffer.byteLength(text);
    this.#write(text);
  }

  #tellEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    if (this.#mustRestart) {
      this.#mustRestart = false;
      this.restart();
    }
    for (const told of early) this.tell(told);
  }

  #apply({ place, keys, seen }: Told): void {
    const { maximumKeys = 0 } = this.#parts?.settings ?? {};
    let text = '';
    for (const key of keys) {
      const record = seen.get(key);
      const id = this.#sent.get(key);
      if (record !== undefined) {
        text += eventText('changed', this.#member('data', record.text));
        this.#sent.set(key, record.id);
      } else if (id !== undefined) {
        text += eventText('left', this.#member('id', id));
        this.#sent.delete(key);
      }
    }
    this.#at = place;
    if (this.#sent.size > maximumKeys) this.restart();
    else if (text !== '') this.#write(text + this.#placeText());
  }

  #write(text: string): void {
    if (this.#isOver) return;
    const behind = this.readable.readableLength;
    if (behind === 0 && this.#firstBytes > 0 && !text.startsWith('event: snapshot')) this.#firstBytes = 0;
    if (behind > mostBehind + this.#firstBytes) {
      this.reset();
      return;
    }
    this.#writtenTime = performance.now();
    this.readable.push(text);
  }

  #placeText(): string {
    const { places } = this.#parts ?? {};
    return placeText(places?.write({ at: this.#at, time: Date.now(), sent: this.#sent }) ?? '');
  }

  #member(word: string, text: string): string {
    return `{${JSON.stringify(this.#parts?.word(word) ?? word)}:${text}}`;
  }
}
