import type { RoutePattern } from '../route.pattern.js';

/** An endpoint or a group of ours, as far as a link to it needs to know. */
export interface LinkedEndpoint {
  readonly pattern: RoutePattern;
}

/** A url, or an endpoint or group of the application whose path has no parameters. */
export type DeprecationTarget = string | LinkedEndpoint;

/** The facts about an endpoint that is not to be used any more. Dates are ISO 8601: `2027-06-30`, or with a time and its zone. */
export interface DeprecationOptions {
  /** The time from which it is deprecated; it may be in the future. Sent in `Deprecation` (RFC 9745). */
  readonly since: string;
  /** The time from which it may stop answering, not before {@link since}. Sent in `Sunset` (RFC 8594). Default: not known. */
  readonly sunset?: string;
  /** The page that tells people what to do. Sent in `Link` as `deprecation`, and as `sunset` where there is one. Default none. */
  readonly link?: DeprecationTarget;
  /** The endpoint that stands in its place. Sent in `Link` as `successor-version`. Default none. */
  readonly successor?: DeprecationTarget;
  /** The reason, for generated documentation. Default none. */
  readonly reason?: string;
  /** `gone` to answer 410 from {@link sunset} on, before anybody is authenticated. Default `serve`. */
  readonly afterSunset?: 'serve' | 'gone';
}
