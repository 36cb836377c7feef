import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { NativeSource } from '../../endpoint/request/endpoint.request.js';
import type { RoutePattern } from '../../endpoint/route.pattern.js';
import type { CompiledEndpoint } from '../compiled.endpoint.js';
import type { WriteAnswer } from '../answers/answer.sender.js';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** The HTTP platform of an application, as the straight road has to know it that leads past it. */
export interface PlatformSide {
  /** The listener through which the platform gets the server's requests; undefined where it is not known. */
  listenerOf(server: Server): RequestListener | undefined;
  /**
   * The reason, in words, why requests for an endpoint go through the platform; undefined where it does nothing with them
   * that we do not do. Asked when the server has begun to listen.
   *
   * @param patterns the paths at which the endpoint is
   */
  reasonAgainst(endpoint: CompiledEndpoint, patterns: readonly RoutePattern[]): string | undefined;
  /** The place where the platform keeps what users have given it to do: another number of these closes the road. */
  readonly kept: { readonly stack: readonly unknown[] };
  /** The objects whose methods add something to the platform, with the names of these methods. */
  readonly growing: readonly (readonly [target: object, methods: readonly string[]])[];
  /** True if the straight road knows how the platform answers HEAD. */
  readonly answersHead: boolean;
  /** Makes the platform's own request, where a function of the user's asks for it. */
  readonly source: NativeSource | undefined;
  /** Sets the headers that the platform sets before anybody sees the request. */
  readonly begin: (response: ServerResponse) => void;
  /** Writes an answer as the platform would. */
  readonly write: WriteAnswer<ServerResponse>;
}
