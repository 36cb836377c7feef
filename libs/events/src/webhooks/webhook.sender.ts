import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { ReceiverRules, Resolve, ResolvedAddress } from './receiver.rules.js';
import { retryAfter } from './delivery.pauses.js';

/** The most of an answer that is read, in bytes. */
const readMost = 65_536;

/** A message to a receiver. */
export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of a try. */
export interface WebhookOutcome {
  /** True of an answer in time that says success. */
  readonly isDelivered: boolean;
  /** Undefined where there was no answer. */
  readonly status?: number;
  readonly answer: string;
  /** The reason of a failure. */
  readonly error?: string;
  /** The time to wait that the receiver asks for, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** The facts that a sender knows of its surroundings. */
export interface SenderParts {
  readonly rules: ReceiverRules;
  readonly resolve: Resolve;
  /** The time for the whole answer, in milliseconds. */
  readonly timeout: number;
  /** The part of an answer that is kept, in bytes. */
  readonly answerKept: number;
  readonly now: () => number;
}

/** Sends messages to receivers: to one checked address, without redirects, proxies and cookies, and only so long. */
export class WebhookSender {
  constructor(private readonly parts: SenderParts) {}

  /** Never rejects: whatever goes wrong is an outcome. */
  async send(message: WebhookMessage, signal: AbortSignal): Promise<WebhookOutcome> {
    const { rules, resolve, timeout } = this.parts;
    const late = AbortSignal.timeout(timeout);
    const ended = AbortSignal.any([signal, late]);
    try {
      const problem = rules.complaint(message.url);
      if (problem !== undefined) throw new Error(`The url is not allowed: ${problem}`);
      const url = new URL(message.url);
      const address = await unless(ended, rules.address(url, resolve));
      // Whatever a receiver does, its time is over then.
      return await unless(ended, this.#sent(url, address, message, ended));
    } catch (error) {
      const reason = late.aborted ? `No whole answer within ${timeout} ms` : messageOf(error);
      return { isDelivered: false, answer: '', error: reason.slice(0, 500) };
    }
  }

  async #sent(
    url: URL,
    { address, family }: ResolvedAddress,
    { headers, body }: WebhookMessage,
    signal: AbortSignal,
  ): Promise<WebhookOutcome> {
    const request = url.protocol === 'https:' ? requestSecure : requestPlain;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A connection of its own: what was checked is what is connected to, each time.
        agent: false,
        lookup: (_hostname, options, found) => {
          if (options.all === true) found(null, [{ address, family }]);
          else found(null, address, family);
        },
        signal,
      });
      sending.once('response', resolve);
      // A connection may fail again after the answer has begun: nobody waits for that, and it must not end the process.
      sending.on('error', reject);
      // Who changes the protocol, as by 101, gets neither a response nor an error.
      sending.once('close', () => {
        reject(new Error('The connection has ended without an answer'));
      });
      sending.end(body);
    });
    const text = await this.#read(answer);
    const { statusCode: status = 0 } = answer;
    const isDelivered = status >= 200 && status < 300;
    const asks = status === 429 || status === 503;
    return {
      isDelivered,
      status,
      answer: text,
      ...(isDelivered ? {} : { error: `Status ${status}` }),
      ...(asks ? { retryAfter: retryAfter(answer.headers['retry-after'], this.parts.now()) } : {}),
    };
  }

  /** Reads so much of an answer, and cuts off the rest. @throws Error for one that ends before it is whole */
  async #read(answer: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length >= readMost) break;
    }
    answer.destroy();
    // What a database cannot keep is left out.
    const kept = Buffer.concat(chunks).subarray(0, this.parts.answerKept).toString('utf8');
    return kept.replaceAll('\0', '').replaceAll('�', '?');
  }
}

function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('Given up'));
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject);
  });
}

function messageOf(error: unknown): string {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  return [code, message].filter((one) => typeof one === 'string' && one !== '').join(': ');
}
