import type { RoutePattern } from '../../endpoint/route.pattern.js';

/** A route that is none of our endpoints, as a platform has it. */
export interface ForeignRoute {
  readonly path: unknown;
  /** In upper case; undefined for all. */
  readonly methods: ReadonlySet<string> | undefined;
}

type Segmented = Pick<RoutePattern, 'segments'>;

/** Characters by which a path says that others than itself fit. */
const wild = /[*{}()[\]?+!%\\]/;

/**
 * True if a route may take a request that an endpoint answers. Where it is not certain that it takes none, it may.
 *
 * @param answered the methods of requests that the endpoint answers
 */
export function mayTake(
  { path, methods }: ForeignRoute,
  patterns: readonly Segmented[],
  answered: readonly string[],
): boolean {
  if (methods !== undefined && !answered.some((method) => methods.has(method))) return false;
  return typeof path !== 'string' || patterns.some((pattern) => mayFit(path, pattern));
}

/** Letter case is left out, because routers may ignore it. */
function mayFit(path: string, { segments }: Segmented): boolean {
  const parts = path.toLowerCase().split('/').filter(Boolean);
  for (const [index, part] of parts.entries()) {
    const segment = segments[index];
    if (wild.test(part)) return true;
    if (segment === undefined) return false;
    const isFree = part.includes(':') || 'parameter' in segment;
    if (!isFree && segment.literal.toLowerCase() !== part) return false;
  }
  return parts.length === segments.length;
}
