import { readAnswer } from './answer.reader.js';
import type { Answer } from './answer.js';
import type { ClientOptions, Given } from './client.options.js';
import type { ClientRequest } from './client.request.js';
import { readWithin } from './followed.redirects.js';
import { waitBefore } from './retry.js';

/** Sends requests, waits where the service says to come again, and reads the answers. */
export class RequestSender {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * @throws EndpointsError for a refusal; the 503 of a write that was sent again, and was then missing or in another version: nobody
   * knows whether the first one was done. Its cause is the last refusal.
   */
  async send(address: string, request: ClientRequest): Promise<Answer> {
    const { retries = 3, maximumWait = 30_000, wait = waited } = this.#options;
    let unsure: Error | undefined;
    for (let tried = 0; ; tried += 1) {
      const { response, headers } = await this.#once(address, request);
      const next = waitBefore(response, request, headers, Date.now());
      try {
        return await readAnswer(response);
      } catch (error) {
        const { status } = response;
        if (next === undefined || next > maximumWait || tried >= retries) {
          if (unsure === undefined || (status !== 404 && status !== 412)) throw error;
          unsure.cause = error;
          throw unsure;
        }
        if (status === 503 && request.isRepeatable === true) unsure = error as Error;
        await wait(next, request.signal);
      }
    }
  }

  async #once(address: string, request: ClientRequest): Promise<{ response: Response; headers: Headers }> {
    const { method, query, body, signal } = request;
    // The document may come from elsewhere: who asks is told to the service alone.
    const { url, ...told } = this.#options;
    const isOwn = new URL(address).origin === new URL(url).origin;
    const given = isOwn && (await valueOf(told.headers));
    const token = isOwn && (await valueOf(told.token));
    const own = { ...given, ...request.headers };
    const headers = new Headers({ Accept: 'application/json', ...own });
    if (typeof token === 'string' && token !== '') headers.set('Authorization', `Bearer ${token}`);
    const isOpen = Object.keys(own).length === 0 && !headers.has('Authorization');
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const asked = query === undefined || query.size === 0 ? '' : `?${query.toString()}`;
    const init = { method: method.toUpperCase(), headers, signal: signal ?? null };
    // A browser's own function wants to be called without an object in front.
    const { fetch: send = globalThis.fetch.bind(globalThis) } = this.#options;
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) };
    // A redirect may make a GET of a write, whose answer would be taken for that of the write.
    if (!/^(?:get|head)$/i.test(method))
      return { headers, response: await send(address + asked, { ...sent, redirect: 'manual' }) };
    const response = await (isOpen ? send(address + asked, sent) : readWithin(send, address + asked, sent));
    return { headers, response };
  }
}

async function valueOf<T>(given: Given<T> | undefined): Promise<T | undefined> {
  return typeof given === 'function' ? await (given as () => T | Promise<T>)() : given;
}

function waited(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
