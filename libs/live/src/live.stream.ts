import { Readable } from 'node:stream';
import type { ChangePlace } from '@nest-endpoints/core';
import type { Sight } from '@nest-endpoints/core/internal';
import { eventText, placeText, retryText } from './event.text.js';
import type { LiveListsSettings } from './live.lists.options.js';
import type { Follower } from './sight.group.js';
import { beginning, isBehind, type StreamPlace, type StreamPlaces } from './stream.place.js';
import { memberText, mostBehind, type FirstPage, type Told } from './told.js';

/** The time that a client waits before it comes again, in milliseconds: not all of them at once. */
const leastRetry = 1000;
const mostRetry = 5000;

/** The time between two times that a stream begins anew, in milliseconds. It doubles where there is always too much to tell. */
const leastPause = 1000;
const longestPause = 30_000;

/** The parts that a stream is made of. */
export interface StreamParts {
  readonly sight: Sight;
  readonly places: StreamPlaces;
  readonly settings: LiveListsSettings;
  readonly word: (word: string) => string;
  /** The first page, which was read already; undefined where the stream begins without. */
  readonly first: FirstPage | undefined;
  /** Reads it once more, and shows it. @throws Error where it cannot be read */
  readonly showAgain: (show: (first: FirstPage | undefined) => void) => Promise<void>;
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
  /** The bytes of what the client may be behind beside {@link mostBehind}: a page, or what was too long in itself. */
  #allowed = 0;
  /** The changes that it was told of while the first page was read; undefined when it is there. */
  #early: Told[] | undefined = [];
  /** The characters of these. */
  #earlyLength = 0;
  /** True if it is to begin anew: what it is told until then is in the page. */
  #isDue = false;
  /** The time from which it may do so. */
  #restartTime = -Infinity;
  #pause = leastPause;
  readonly #sent = new Map<string, string>();
  #at: ChangePlace = beginning;
  #parts: Pick<StreamParts, 'places' | 'settings' | 'word' | 'showAgain'> | undefined;

  /**
   * @param whenOver is told once, when nothing more is sent
   * @param failed is told of what could not be read
   */
  constructor(
    sight: Sight,
    private readonly whenOver: (stream: LiveStream) => void,
    private readonly failed: (error: unknown) => void,
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
    if (this.#early !== undefined) this.#keepEarly(this.#early, told);
    else if (!this.#isDue) this.#apply(told);
  }

  restart(): void {
    this.#isDue = true;
    this.#restartIfDue(performance.now());
  }

  /** Sends a sign of life where nothing else was sent for long. */
  beat(now: number, at: ChangePlace): void {
    const heartbeat = this.#parts?.settings.heartbeat ?? Infinity;
    this.#restartIfDue(now);
    if (now - this.#writtenTime < heartbeat) return;
    if (this.#early !== undefined || this.#isDue) {
      // It goes on where it was, and what waits for its client is a sign of life as well.
      if (this.readable.readableLength === 0) this.#write(eventText('ping', '{}'));
      return;
    }
    // Others of its group may not have been told yet what it was told.
    if (isBehind(at, this.#at)) this.#at = at;
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

  /**
   * Begins anew as soon as its client has what it was sent, and less and less often. A page that is being read may be older than that
   * of which there was too much: it is shown first.
   */
  #restartIfDue(now: number): void {
    if (!this.#isDue || this.#isOver || this.#early !== undefined) return;
    if (now < this.#restartTime || this.readable.readableLength > 0) return;
    this.#isDue = false;
    const isSoon = now < this.#restartTime + this.#pause;
    this.#pause = isSoon ? Math.min(2 * this.#pause, longestPause) : leastPause;
    this.#restartTime = now + this.#pause;
    this.#sent.clear();
    this.#write(eventText('reset', '{}') + placeText(''));
    const { showAgain } = this.#parts ?? {};
    if (this.sight.wantsFirst && showAgain !== undefined) void this.#showAgain(showAgain);
  }

  /** Shows the first page once more; who cannot be shown it comes again. */
  async #showAgain(showAgain: StreamParts['showAgain']): Promise<void> {
    this.#early = [];
    this.#earlyLength = 0;
    try {
      await showAgain((first) => {
        if (this.#isOver) return;
        this.#show(first);
        this.#tellEarly();
      });
    } catch (error) {
      if (this.#isOver) return;
      this.failed(error);
      this.end();
    }
  }

  #show(first: FirstPage | undefined): void {
    if (first === undefined) {
      this.#write(eventText('ping', '{}') + this.#placeText());
      return;
    }
    for (const [key, { id }] of first.records) this.#sent.set(key, id);
    this.#allowed = first.event.byteLength;
    this.#write(first.event);
    this.#write(this.#placeText());
  }

  #tellEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    if (this.#isDue) this.#restartIfDue(performance.now());
    else for (const told of early) this.tell(told);
  }

  /** Keeps a change until the first page is there; more than a client may be behind is a page once more. */
  #keepEarly(early: Told[], told: Told): void {
    early.push(told);
    this.#earlyLength += told.length;
    if (early.length > 1 && this.#earlyLength > mostBehind) this.#isDue = true;
    if (this.#isDue) early.length = 0;
  }

  #apply({ place, keys, seen }: Told): void {
    const { maximumKeys = 0 } = this.#parts?.settings ?? {};
    let text = '';
    for (const key of keys) {
      const record = seen.get(key);
      const id = this.#sent.get(key);
      if (record !== undefined) {
        text += record.event;
        this.#sent.set(key, record.id);
      } else if (id !== undefined) {
        text += eventText('left', memberText(this.#word('id'), id));
        this.#sent.delete(key);
      }
    }
    this.#at = place;
    if (this.#sent.size > maximumKeys) this.restart();
    else if (text !== '') this.#write(text + this.#placeText());
  }

  #write(chunk: string | Buffer): void {
    if (this.#isOver) return;
    const behind = this.readable.readableLength;
    if (behind > mostBehind + this.#allowed) {
      this.reset();
      return;
    }
    this.#writtenTime = performance.now();
    this.readable.push(chunk);
    // What nothing waited in front of may be of any length: a record, or a page.
    if (behind === 0) this.#allowed = this.readable.readableLength;
  }

  #placeText(): string {
    const { places } = this.#parts ?? {};
    return placeText(places?.write({ at: this.#at, time: Date.now(), sent: this.#sent }) ?? '');
  }

  #word(word: string): string {
    return this.#parts?.word(word) ?? word;
  }
}
