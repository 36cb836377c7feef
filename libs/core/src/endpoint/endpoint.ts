import { checkOptions } from '../options/checked.options.js';
import type { Operation } from '../access/operation.access.js';
import type { OptionChecks } from '../options/option.check.js';
import { optionRulesOf } from '../options/option.rules.js';
import type { CompiledKind, Handler } from './compiled.kind.js';
import type { KindContext } from './kind.context.js';
import type { EndpointOptions } from './options/endpoint.options.js';
import { endpointChecks } from './options/endpoint.checks.js';
import type { HttpMethod } from './http.method.js';
import { RoutePattern } from './route.pattern.js';

/**
 * The effect of requests on records. Where only the HTTP method tells, safe ones read (RFC 9110, 9.2.1).
 */
export type Effect = 'reads' | 'writes' | 'method';

/**
 * One configured instance of an endpoint kind: its frozen options, and the way to make a handler of them. A kind of your
 * own extends this class or one of ours, and goes into `forFeature` or a RestfulApi like any other.
 *
 * `Given` is the type that its constructor takes, where that is narrower than what `compile` reads.
 */
export abstract class Endpoint<
  Options extends EndpointOptions = EndpointOptions,
  Given extends EndpointOptions = Options,
> {
  /**
   * The options of this kind, beside those of the kinds that it extends. Where a kind declares its own, every other
   * option stops the start.
   *
   * @example static override readonly optionChecks: OptionChecks = { limit: checks.wholeNumber(1) };
   */
  static readonly optionChecks: OptionChecks = endpointChecks;

  readonly options: Readonly<Options>;
  readonly pattern: RoutePattern;

  /** The methods answered when `requestMethods` says nothing. */
  protected abstract readonly defaultMethods: readonly HttpMethod[];

  constructor(options: Given) {
    this.options = Object.freeze({ ...options }) as unknown as Readonly<Options>;
    checkOptions(this.owner, options, optionRulesOf(this.constructor));
    this.pattern = RoutePattern.parse(this.owner, options.url ?? '');
  }

  /** The kind's name, e.g. `Create`. */
  get kind(): string {
    return this.constructor.name;
  }

  /** The name of this endpoint in error messages and logs, e.g. `Get 'cities/:id'`. */
  get owner(): string {
    const { url = '' }: { readonly url?: unknown } = this.options;
    return this.ownerAt(String(url));
  }

  /** {@link owner}, at its whole path. */
  ownerAt(path: string): string {
    return `${this.kind} '${path}'`;
  }

  get requestMethods(): readonly HttpMethod[] {
    return this.options.requestMethods ?? this.defaultMethods;
  }

  /** Options without which the endpoint cannot be compiled; from JavaScript they may be missing. */
  readonly requiredOptions: readonly string[] = [];

  /** True if replies may be plain values, which the envelope and casing interceptors finish. Text is quicker without. */
  readonly repliesPlainly: boolean = true;

  /** True if it answers everybody, whatever its groups and its own options say of access. */
  readonly isPublic: boolean = false;

  /** False if its answers are about no records: then rules about records say nothing of who may use it. */
  readonly hasRecords: boolean = true;

  /**
   * True if it is answered even while other requests are turned away because there are too many. It has 32 places of its
   * own.
   */
  readonly isVital: boolean = false;

  /** True if it waits for nobody, and costs so little that any number of requests is answered. */
  readonly isImmediate: boolean = false;

  /** True if its requests may be operations of a Batch. What answers outside of the envelope is none, such as a stream. */
  readonly isBatchable: boolean = true;

  /**
   * The effect of requests on records. A kind that only `reads` may be answered from a read replica. After other requests
   * the client reads from the primary until replicas have what was written.
   */
  readonly effect: Effect = 'method';

  /**
   * Gives the value of `WWW-Authenticate` on a 401 or a 403 of this endpoint, where it tells more than the scheme. Default: nothing
   * of its own.
   */
  challenge(_outcome: 'notAuthenticated' | 'notAuthorized'): string | undefined {
    return undefined;
  }

  /** The operation as which `access` of a group names it. */
  readonly operation: Operation = 'call';

  /** True if the endpoint reads a body, so that browsers may send its content type. An endpoint that does not gets none. */
  abstract readonly readsBody: boolean;

  /** True if the endpoint reads its body while it comes, whatever its size: nothing of it is read before the guards. */
  readonly streamsBody: boolean = false;

  /**
   * Makes all that requests and documents need, once, when the application starts. Everything that does not depend on a
   * request belongs here. A handler alone is enough for a kind of which nothing else is to be known.
   * @throws ConfigurationError for options that do not fit the model
   */
  abstract compile(context: KindContext): CompiledKind | Handler;
}
