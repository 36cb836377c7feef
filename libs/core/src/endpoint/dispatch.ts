import type { Authentication } from '../access/authentication.js';
import type { Database } from '../database/database.js';
import type { RefusalFacts } from '../wire/answer.format.js';
import type { HeaderLines } from '../wire/answer.js';
import type { EndpointRequest } from './request/endpoint.request.js';

/** A request to another endpoint of the application, which is a part of the one that is being answered. */
export interface PartRequest {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  /** Beside those of the whole request, by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** JSON text; undefined for none. */
  readonly body: string | undefined;
  /** True if it was sent before, and is only tried again: limits have counted it. Default false. */
  readonly isRepeated?: boolean;
}

/** A success of a part. */
export interface PartSuccess {
  readonly kind: 'success';
  readonly statusCode: number;
  /** The JSON text of the data. */
  readonly data: string;
  /** The JSON text of the pagination. */
  readonly pagination: string;
  /** The value of its `ETag`; undefined for none. */
  readonly entityTag: string | undefined;
}

/** A refusal of a part. */
export interface PartRefusal {
  readonly kind: 'refusal';
  readonly facts: RefusalFacts;
  readonly headers: HeaderLines;
  /** The error behind it, which the log has heard of. */
  readonly error: unknown;
  /** True if the endpoint only reads. */
  readonly reads: boolean;
}

/** The answer to a part; `barred` where the endpoint cannot be one. */
export type PartAnswer = PartSuccess | PartRefusal | { readonly kind: 'barred' };

/** An endpoint that requests may have parts for. */
export interface ReachedEndpoint {
  /** Its name in error messages. */
  readonly owner: string;
  readonly authentication: Authentication;
}

/** The endpoints that the parts of an endpoint's requests may be for. */
export interface Reach {
  /** Known once the application has compiled all of its endpoints. */
  endpoints(): readonly ReachedEndpoint[];
  /** Tells whoever observes requests how many parts one has. */
  tell(whole: EndpointRequest, parts: number): void;
  /**
   * Has a part answered as if its client had sent it: by routers, guards, authentication, rules and limits of its endpoint, in
   * the transaction of the whole request ({@link Session.shared}).
   */
  send(whole: EndpointRequest, part: PartRequest): Promise<PartAnswer>;
}

/** Sends requests to the application itself. */
export interface Dispatching {
  /**
   * @param groups the endpoints of these and below; none for the whole application
   * @param database the one that they must be on
   */
  reach(groups: readonly object[], database: Database): Reach;
  /**
   * Has a request answered as if the sender of another one had sent it: by routers, guards, authentication, rules and limits of its
   * endpoint. It stands alone: it has a transaction and lines in logs of its own. Its sender leaves with that of the other one.
   *
   * @param leaf the endpoint that it is for; any other one that would answer is Not Found
   */
  call(asking: EndpointRequest, call: PartRequest, leaf: object): Promise<PartAnswer>;
  /** The endpoints that no rule about the identity alone keeps the sender of a request from. Without an identity there is no telling. */
  open<Leaf extends object>(asking: EndpointRequest, leaves: readonly Leaf[]): Promise<readonly Leaf[]>;
}
