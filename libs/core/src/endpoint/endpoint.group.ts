import type { Endpoint } from './endpoint.js';
import type { InheritedOptions } from './endpoint.options.js';
import { RoutePattern } from './route.pattern.js';

/** What `forFeature` and groups list. */
export type EndpointOrGroup = Endpoint | EndpointGroup;

export interface EndpointGroupOptions extends InheritedOptions {
  /** A prefix for the members' urls. With one, the group takes every request below it. Default none. */
  readonly url?: string;
  /** Tried from top to bottom. */
  readonly endpoints: readonly EndpointOrGroup[];
}

/** A list of endpoints that share a url prefix, headers, access rules and casing (decisions: Routing and headers). */
export class EndpointGroup {
  readonly options: Readonly<InheritedOptions>;
  readonly pattern: RoutePattern;
  readonly endpoints: readonly EndpointOrGroup[];

  constructor({ url = '', endpoints, ...inherited }: EndpointGroupOptions) {
    this.options = Object.freeze(inherited);
    this.pattern = RoutePattern.parse(`${this.constructor.name} '${url}'`, url);
    this.endpoints = Object.freeze([...endpoints]);
  }
}
