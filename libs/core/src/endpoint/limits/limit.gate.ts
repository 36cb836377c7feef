import type { Limit, LimitKey, Verdict } from '../../access/limits/limit.js';
import type { HeaderLines } from '../../wire/answer.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { ServiceUnavailable, TooManyRequests } from '../../wire/refusals.js';
import type { EndpointRequest } from '../request/endpoint.request.js';
import { identityKey } from './identity.key.js';
import { LimitHeaders, type Judged } from './limit.headers.js';

/** The place where the verdicts on a request are kept until its answer is sent. */
export interface JudgedRequest {
  /** The headers that its answer tells of limits by; undefined where none has judged it. */
  limitLines: HeaderLines | undefined;
}

const none: readonly Judged[] = [];

/** Asks the limits of an endpoint: all of them, so that each counts; the first that refuses answers. Made once per endpoint. */
export class LimitGate {
  readonly #headers: LimitHeaders;
  readonly #address: readonly Limit[];
  readonly #identity: readonly Limit[];

  private constructor(limits: readonly Limit[]) {
    this.#headers = new LimitHeaders(limits);
    this.#address = limits.filter(({ judges }) => judges === 'address');
    this.#identity = limits.filter(({ judges }) => judges === 'identity');
  }

  /** Undefined for an endpoint without limits. @throws ConfigurationError for two of one name */
  static of(owner: string, limits: readonly Limit[]): LimitGate | undefined {
    const names = limits.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new ConfigurationError(owner, 'limits', `two limits that add up have the name '${twice}'`);
    return limits.length === 0 ? undefined : new LimitGate(limits);
  }

  /** Has an answer tell of limits that none of them has judged. */
  announce(kept: JudgedRequest): void {
    kept.limitLines = this.#headers.policy;
  }

  /**
   * Counts a request by where it comes from, before anybody is authenticated.
   * @throws TooManyRequests, ServiceUnavailable
   */
  async beforeAuthentication(request: EndpointRequest, kept: JudgedRequest): Promise<readonly Judged[]> {
    // A command is a person's at this machine.
    if (request.isCommand) return none;
    this.announce(kept);
    if (this.#address.length === 0) return none;
    return this.#judged(this.#address, addressOf(request), request, kept, none);
  }

  /**
   * Counts a request by who sent it.
   * @param before what limits on addresses have said
   * @throws TooManyRequests, ServiceUnavailable
   */
  async afterAuthentication(
    request: EndpointRequest,
    kept: JudgedRequest,
    before: readonly Judged[],
  ): Promise<void> {
    if (this.#identity.length === 0 || request.isCommand) return;
    const text = identityKey(request.authorizationData);
    const key: LimitKey | undefined = text === undefined ? addressOf(request) : { kind: 'identity', text };
    await this.#judged(this.#identity, key, request, kept, before);
  }

  async #judged(
    limits: readonly Limit[],
    key: LimitKey | undefined,
    request: EndpointRequest,
    kept: JudgedRequest,
    before: readonly Judged[],
  ): Promise<readonly Judged[]> {
    const context = request.authorizationRequest;
    // All are asked at once: those of one store are one statement.
    const asked = limits.map((limit) => limit.take(key, context));
    const verdicts = asked.some(isPromise) ? await Promise.all(asked.map(promised)) : (asked as Known[]);
    const judged = [...before, ...limits.flatMap((limit, index) => named(limit, verdicts[index]))];
    kept.limitLines = this.#headers.lines(judged);
    const [refusing] = judged.filter(([, { allowed }]) => allowed !== true);
    if (refusing === undefined) return judged;
    if (refusing[1].allowed === 'unknown') throw new ServiceUnavailable();
    // Whoever comes back sooner is refused by another one.
    throw new TooManyRequests(
      Math.max(...judged.map(([, { allowed, retryAfter }]) => (allowed === false ? retryAfter : 0))),
    );
  }
}

/** A verdict that is there already, as that of a limit in memory is. */
type Known = Verdict | undefined;

function isPromise(value: Known | Promise<Known>): value is Promise<Known> {
  return value instanceof Promise;
}

function promised(value: Known | Promise<Known>): Promise<Known> {
  return Promise.resolve(value);
}

function named(limit: Limit, verdict: Verdict | undefined): Judged[] {
  return verdict === undefined ? [] : [[limit, verdict]];
}

function addressOf({ address }: EndpointRequest): LimitKey | undefined {
  return address === undefined ? undefined : { kind: 'address', text: address };
}
