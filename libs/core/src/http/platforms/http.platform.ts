import type { AbstractHttpAdapter } from '@nestjs/core';
import type { RootOptions } from '../../endpoint/options/settings.js';
import type { WriteAnswer } from '../answers/answer.sender.js';
import type { HttpEdge } from '../http.edge.js';
import type { Pipeline } from '../pipeline.js';
import type { PlatformSide } from '../roads/platform.side.js';

/** The differences between the platforms that Nest runs on. */
export interface HttpPlatform {
  /** Makes the straight road's view of the platform. Called first, so that it sees what others do with it. */
  sideOf(adapter: AbstractHttpAdapter, edge: HttpEdge, root: RootOptions): PlatformSide;
  /** Makes the platform hand requests to the pipeline before its own body parsers see them. */
  collectBodies(adapter: AbstractHttpAdapter, edge: HttpEdge, pipeline: Pipeline): void;
  /** Sends a finished answer as it is, with the id of its request. */
  readonly send: WriteAnswer<unknown>;
  /** Makes greedy routing hold on a router that does not try routes in their order. */
  arrangeRoutes(adapter: AbstractHttpAdapter, edge: HttpEdge): void;
  /** Registers a route for QUERY with an adapter of an early Nest 11, which has no method for it. */
  registerQuery(adapter: AbstractHttpAdapter, parameters: readonly unknown[]): unknown;
  /** @param response the platform's, or Node's: middleware of modules has that on Fastify */
  requestOf(response: unknown): unknown;
  /** True if the platform's own handler of unknown paths stands outside the global prefix too. */
  readonly answersOutsidePrefix: boolean;
  /** True if no controller of the user's own has this request's path and method. */
  isUnknown(adapter: AbstractHttpAdapter, native: unknown, edge: HttpEdge): boolean;
  /** True if the platform was told which proxies say where requests come from. */
  trustsProxy(adapter: AbstractHttpAdapter): boolean;
  /** A sentence about an option of the platform that is missing; undefined when all is well. */
  warning(adapter: AbstractHttpAdapter): string | undefined;
}
