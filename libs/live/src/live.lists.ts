import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { BadRequest, NotFound, Refusal, StreamBody } from '@nest-endpoints/core';
import {
  Cancellation,
  networkOf,
  Seal,
  TooManyRequests,
  type LiveSource,
  type LiveStreams,
  type Sight,
} from '@nest-endpoints/core/internal';
import pLimit, { type LimitFunction } from 'p-limit';
import { RawReply, type EndpointRequest, type Representation } from '@nest-endpoints/core/kinds';
import type { ChangeFeed } from './change.feed.js';
import { ChangeFeeds } from './change.feeds.js';
import { retryText } from './event.text.js';
import { merged, settingsOf, type LiveListsOptions, type LiveListsSettings } from './live.lists.options.js';
import { LiveStream, type StreamParts } from './live.stream.js';
import { Pace } from './pace.js';
import { SightGroup } from './sight.group.js';
import { StreamPlaces, type StreamPlace } from './stream.place.js';
import { readFirst, readTold } from './told.js';
import { TroubleLog } from './trouble.log.js';

const mediaType = 'text/event-stream';
const contentType = `${mediaType}; charset=UTF-8`;
const headers = [
  ['Cache-Control', 'no-store'],
  // Nginx would keep events back until there are many.
  ['X-Accel-Buffering', 'no'],
] as const;

/** The time between two looks at streams, in milliseconds. */
const period = 200;

/** The time that a judgement may take from its turn on, in milliseconds. */
const longestJudging = 5000;

/** The judgements that are under way at the same time: streams that began together are judged one after the other. */
const judgementsAtOnce = 16;

/** The bits of an IPv6 address that are one client: it has all addresses of the rest. */
const clientBits = 64;

/** Seconds after which a client may try again that has too many streams. */
const retryAfter = 5;

/** A stream, and what is needed to judge and end it. */
interface Open {
  readonly stream: LiveStream;
  readonly sender: string;
  readonly feed: ChangeFeed;
  readonly groupKey: string;
  readonly settings: LiveListsSettings;
  group: SightGroup | undefined;
  isJudging: boolean;
}

/**
 * Live lists: streams of the records of endpoints with `live`, and of what changes in them.
 *
 * @example EndpointsModule.forRoot({ live: new LiveLists() })
 */
export class LiveLists implements LiveStreams {
  readonly #settings: LiveListsSettings;
  /** Runs what is part of no request. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #feeds = new ChangeFeeds(this.#outside);
  readonly #open = new Map<LiveStream, Open>();
  readonly #counts = new Map<string, number>();
  readonly #judging = pLimit(judgementsAtOnce);
  readonly #pace = new Pace();
  readonly #trouble = new TroubleLog('Live lists could not judge a request anew, and ended its stream');
  #seal: Seal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /** @throws ConfigurationError for options that are not allowed */
  constructor(options: LiveListsOptions = {}) {
    this.#settings = settingsOf(options);
  }

  /** The number of streams that are open now, for metrics. */
  get streams(): number {
    return this.#open.size;
  }

  of(source: LiveSource): Representation {
    this.#hasEnded = false;
    this.#seal ??= new Seal('live', source.secrets);
    const settings = merged(this.#settings, source.settings);
    const seal = this.#seal;
    const reads = ['Last-Event-ID'];
    // One endpoint whose reads hang leaves some turns to the others.
    const turns = pLimit(Math.max(1, source.readsAtOnce - 1));
    const made = { settings, seal, turns };
    return { mediaType, reads, answer: (request) => this.#answer(source, made, request) };
  }

  end(): void {
    this.#hasEnded = true;
    for (const stream of [...this.#open.keys()]) stream.end();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#feeds.close();
  }

  async #answer(source: LiveSource, made: Made, request: EndpointRequest): Promise<RawReply> {
    const sight = this.#isEnding() ? undefined : await source.sightOf(request);
    // Who comes now comes again, to another process.
    if (sight === undefined || this.#isEnding()) return elsewhere();
    if (sight.limit > made.settings.maximumKeys)
      throw new BadRequest(`A stream has at most ${made.settings.maximumKeys} records`);
    const open = this.#entered(source, made, sight);
    const { stream } = open;
    try {
      await this.#begin(source, made, open, request);
    } catch (error) {
      stream.close();
      throw error;
    }
    const { readable } = stream;
    return reply(readable, source.stallLimit, () => {
      stream.close();
    });
  }

  #isEnding(): boolean {
    return this.#hasEnded;
  }

  /** @throws TooManyRequests */
  #entered(source: LiveSource, { settings }: Made, sight: Sight): Open {
    const { maximumStreams, maximumStreamsEach } = this.#settings;
    const sender = sight.sender ?? `address ${networkOf(sight.address ?? '', clientBits)}`;
    const count = this.#counts.get(sender) ?? 0;
    if (this.#open.size >= maximumStreams || count >= maximumStreamsEach)
      throw new TooManyRequests(retryAfter);
    this.#counts.set(sender, count + 1);
    const feed = this.#feeds.lend(source, sight.schema);
    const left = (one: LiveStream): void => {
      this.#left(one);
    };
    const stream = new LiveStream(sight, left, feed.failed);
    // Those that began together are judged apart from each other.
    stream.judgedTime -= (Math.random() * this.#settings.judgeEvery) / 2;
    const groupKey = `${source.owner}\n${sight.key}`;
    const open = { stream, sender, feed, groupKey, settings, group: undefined, isJudging: false };
    this.#open.set(stream, open);
    this.#timer ??= this.#outside(() => setInterval(() => this.#look(), period).unref());
    return open;
  }

  /** Joins those that see the same first, so that it misses nothing of what changes while it reads. */
  async #begin(
    source: LiveSource,
    { settings, seal, turns }: Made,
    open: Open,
    { headers, cancellation }: EndpointRequest,
  ): Promise<void> {
    const { stream, feed, groupKey } = open;
    const { sight } = stream;
    const { model, word, timeLimit } = source;
    const { interval, maximumKeys } = settings;
    const { failed } = feed;
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => turns(() => feed.inTurn(work));
    const read = { model, word: word('data'), timeLimit, failed, inTurn };
    const parts = { ...read, interval, maximumKeys, pace: this.#pace };
    const group = await feed.join(groupKey, stream, (place) => new SightGroup(parts, place));
    open.group = group;
    // It may have ended while it joined.
    if (stream.isOver) feed.leave(groupKey, stream);
    const at = group.place;
    const places = new StreamPlaces(seal, groupKey, sight.sender ?? '');
    const lastId = headers['last-event-id'];
    const last = typeof lastId === 'string' && lastId !== '' ? lastId : undefined;
    const place = last === undefined ? undefined : places.read(last);
    const missed = place && (await this.#missed(open, place, source, cancellation));
    const isAnew = missed === undefined && sight.wantsFirst;
    const first = isAnew ? await readFirst(sight, word('data'), cancellation) : undefined;
    if (isAnew && first === undefined) throw new NotFound();
    const showAgain: StreamParts['showAgain'] = (show) => group.showFirst(stream.sight, show);
    const told: StreamParts = { sight, places, settings, word, first, showAgain, missed };
    stream.begin(told, at, last !== undefined && missed === undefined);
  }

  /** Reads what a client has missed that comes again; undefined where that is too much, or nobody knows what it has. */
  async #missed(
    open: Open,
    place: StreamPlace,
    source: LiveSource,
    cancellation: Cancellation,
  ): Promise<StreamParts['missed']> {
    const read = (own: Cancellation): Promise<StreamParts['missed']> =>
      this.#readMissed(open, place, source, own);
    try {
      // The first page has the rest of the time.
      return await Cancellation.within(source.timeLimit / 2, read, cancellation);
    } catch (error) {
      if (cancellation.reason !== undefined) throw error;
      open.feed.failed(error);
      return undefined;
    }
  }

  async #readMissed(
    { feed, group, settings, stream }: Open,
    place: StreamPlace,
    { model, keepFor, word }: LiveSource,
    cancellation: Cancellation,
  ): Promise<StreamParts['missed']> {
    if (place.sent === undefined || group === undefined) return undefined;
    if (!(await feed.goesBackTo(place, keepFor, cancellation))) return undefined;
    const at = group.place;
    const changed = await feed.between(model, place.at, at, settings.maximumKeys, cancellation);
    if (changed === undefined) return undefined;
    const { subject } = stream.sight;
    const keys = subject === undefined ? changed : changed.filter((key) => key === subject);
    const told = await readTold(stream.sight, { keys, place: at }, word('data'), cancellation);
    return told && { place, told };
  }

  #left(stream: LiveStream): void {
    const open = this.#open.get(stream);
    if (open === undefined) return;
    this.#open.delete(stream);
    const count = (this.#counts.get(open.sender) ?? 1) - 1;
    if (count === 0) this.#counts.delete(open.sender);
    else this.#counts.set(open.sender, count);
    open.feed.leave(open.groupKey, stream);
    this.#feeds.giveBack(open.feed);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends streams whose time is over, judges requests anew, and sends signs of life. */
  #look(): void {
    const now = performance.now();
    const time = Date.now();
    for (const open of [...this.#open.values()]) {
      const { stream, settings, group } = open;
      const isOld = now - stream.begunTime >= settings.maximumAge;
      if (isOld || (stream.sight.expires ?? Infinity) <= time) stream.end();
      else if (group !== undefined) stream.beat(now, group.place);
      const unjudged = now - stream.judgedTime;
      const { judgeEvery } = this.#settings;
      if (!open.isJudging && unjudged >= judgeEvery) void this.#judge(open);
      // Nobody says yes: it may be no.
      else if (open.isJudging && unjudged >= 2 * judgeEvery + longestJudging) stream.end();
    }
  }

  /** Judges the request of a stream as if it were sent now. What would be refused ends. */
  async #judge(open: Open): Promise<void> {
    const { stream } = open;
    open.isJudging = true;
    try {
      const sight = await this.#judging(() => judged(stream));
      if (sight.key !== stream.sight.key || sight.sender !== stream.sight.sender) stream.reset();
      stream.sight = sight;
    } catch (error) {
      if (!(error instanceof Refusal)) this.#trouble.tell(error);
      stream.end();
    } finally {
      stream.judgedTime = performance.now();
      open.isJudging = false;
    }
  }
}

/** The parts that all streams of an endpoint share. */
interface Made {
  readonly settings: LiveListsSettings;
  readonly seal: Seal;
  /** The turns of its reads, beside those of all endpoints. */
  readonly turns: LimitFunction;
}

/** The sight of a stream by now. @throws Error where it is refused, or nobody says so in time: then others have their turn */
function judged({ sight, isOver }: LiveStream): Promise<Sight> {
  if (isOver) return Promise.resolve(sight);
  return Cancellation.within(longestJudging, (cancellation) => sight.again(cancellation));
}

/** The answer of a service that stops. */
function elsewhere(): RawReply {
  return reply(Readable.from([retryText(retryAfter * 1000)]), 0, () => undefined);
}

function reply(readable: Readable, stallLimit: number, whenClosed: () => void): RawReply {
  return new RawReply(new StreamBody(readable, stallLimit, whenClosed, true), contentType, headers);
}
