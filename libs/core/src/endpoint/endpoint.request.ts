import type { IncomingHttpHeaders } from 'node:http';
import { jsonObject, requiredJsonObject } from '../input/json.body.js';
import type { RawBody } from '../input/raw.body.js';
import type { RequestFacts } from '../model/request.facts.js';
import { parseQueryString } from '../query/query.string.js';
import type { RequestEntityManager } from '../records/database.js';
import type { RequestContext } from './request.context.js';
import type { PathParameters } from './route.pattern.js';

/** A request as the stages of the pipeline see it: what it brought, and what is known of its sender. */
export class EndpointRequest {
  #authorizationData: unknown;

  constructor(
    readonly method: string,
    /** Without the query string. */
    readonly path: string,
    readonly routingData: PathParameters,
    /** Without the question mark. */
    readonly queryString: string,
    readonly headers: IncomingHttpHeaders,
    readonly body: RawBody,
    /** The platform's own request object. */
    readonly native: unknown,
  ) {}

  /** What authentication found out about the sender; undefined before it, and when the endpoint is public. */
  get authorizationData(): unknown {
    return this.#authorizationData;
  }

  /** Keeps what authentication found out, for the stages after it. */
  identify(authorizationData: unknown): void {
    this.#authorizationData = authorizationData;
  }

  /** The members of the body, a JSON object; undefined without a body. @throws BadRequest, ContentTooLarge, UnsupportedMediaType */
  jsonObject(): ReadonlyMap<string, unknown> | undefined {
    return jsonObject(this.body);
  }

  /** {@link jsonObject} where a body is required. */
  requiredJsonObject(): ReadonlyMap<string, unknown> {
    return requiredJsonObject(this.body);
  }

  /** @throws BadRequest when the query string is malformed */
  get queryParameters(): ReadonlyMap<string, string> {
    return parseQueryString(this.queryString);
  }

  /** What the request says of itself and of its sender. */
  get facts(): RequestFacts {
    const { routingData, headers, authorizationData, native } = this;
    const ip = Reflect.get(Object(native) as object, 'ip') as string | undefined;
    return { routingData, requestHeaders: headers, authorizationData, ip, request: native };
  }

  /**
   * What functions of the user's configuration see of this request.
   *
   * @param fork gives the entity manager, for the functions that ask for it
   */
  context(fork: () => RequestEntityManager): RequestContext {
    let em: RequestEntityManager | undefined;
    return {
      ...this.facts,
      queryParameters: Object.fromEntries(new URLSearchParams(this.queryString)),
      get em() {
        em ??= fork();
        return em;
      },
    };
  }
}
