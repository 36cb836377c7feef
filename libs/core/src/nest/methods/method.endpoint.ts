import type { Endpoint } from '../../endpoint/endpoint.js';

/** A method of a controller that is an endpoint. */
export interface MethodEndpoint {
  /** Below the paths of its controller. */
  readonly url: string;
  /** The endpoint at a whole path. */
  readonly endpointAt: (url: string) => Endpoint;
  /** The handlers that answer for it: one for each HTTP method. */
  readonly handlers: readonly string[];
}

const endpoints = new WeakMap<object, readonly MethodEndpoint[]>();

export function addMethodEndpoint(prototype: object, endpoint: MethodEndpoint): void {
  endpoints.set(prototype, [...methodEndpointsOf(prototype), endpoint]);
}

/** The endpoints among the methods of a controller, in the order they are written in. */
export function methodEndpointsOf(prototype: object): readonly MethodEndpoint[] {
  return endpoints.get(prototype) ?? [];
}
