/** A value, or a function that gives it whenever it is asked for. */
export type Given<T> = T | (() => T | Promise<T>);

/** Options of an {@link EndpointsClient}. */
export interface ClientOptions {
  /** The address of the service, with the path below which its endpoints are: `https://atlas.example/api`. */
  readonly url: string;
  /** The token of whoever asks, sent as `Authorization: Bearer`; a function is asked before each request. Default none. */
  readonly token?: Given<string | null | undefined>;
  /** Headers of each request; a function is asked before each. Default none. */
  readonly headers?: Given<Readonly<Record<string, string>>>;
  /**
   * The path of the OpenAPI document below {@link url}, or its whole address. Another origin is sent neither {@link token} nor
   * {@link headers}. Default `schema`.
   */
  readonly schema?: string;
  /** The number of times that a request is sent again after a 429, or a 503 where that does no harm. Default 3; 0 for never. */
  readonly retries?: number;
  /** The longest wait before a request is sent again, in milliseconds: a longer `Retry-After` is an error. Default 30,000. */
  readonly maximumWait?: number;
  /** The function that sends requests. Default that of the browser. */
  readonly fetch?: typeof fetch;
  /** Waits so many milliseconds, unless the signal is aborted. Default a timer. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The options in which something is wrong say so when the client is made. @throws TypeError */
export function checkOptions({ url, retries = 0, maximumWait = 0 }: ClientOptions): void {
  if (typeof url !== 'string' || !URL.canParse(url)) throw new TypeError(`url: '${url}' is no address`);
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new TypeError('retries: must be a whole number from 0');
  if (!(maximumWait >= 0)) throw new TypeError('maximumWait: must be a number from 0');
}
