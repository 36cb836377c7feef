import type { HttpMethod } from '../endpoint/http.method.js';
import type { RoutePattern } from '../endpoint/route.pattern.js';
import type { RouteGroup, RouteLeaf, RouteTree } from './route.tree.js';

/** One path under which a platform's router must know an endpoint's method. */
export interface PlannedRoute {
  readonly method: HttpMethod;
  readonly pattern: RoutePattern;
  /** A path that belongs to a broader pattern too; documentation leaves it out. */
  readonly isOverlap: boolean;
}

export interface RoutePlan {
  readonly routes: ReadonlyMap<RouteLeaf, readonly PlannedRoute[]>;
  /** Sentences about what is swallowed and never answers. */
  readonly warnings: readonly string[];
}

/** What stands earlier in the list and takes requests: a leaf its own path, a group everything below its path. */
type Taker = RouteLeaf | RouteGroup;

/**
 * What to register with the platform's router, so that greedy top-down routing holds whatever that router prefers
 * (Fastify's prefers fixed words to parameters): what an earlier endpoint or group takes is not registered, and where
 * an earlier endpoint takes only some paths of a later one, those paths are registered for the earlier one.
 */
export function planRoutes(tree: RouteTree): RoutePlan {
  const routes = new Map<RouteLeaf, PlannedRoute[]>();
  const warnings: string[] = [];
  const registered = new Set<string>();
  const takers: Taker[] = [];
  const register = (leaf: RouteLeaf, route: PlannedRoute): void => {
    const key = `${route.method} ${route.pattern.shape}`;
    if (!registered.has(key)) routes.get(leaf)?.push(route);
    registered.add(key);
  };
  for (const taker of tree.takers()) {
    if ('endpoint' in taker) {
      routes.set(taker, []);
      for (const method of taker.endpoint.requestMethods) {
        const rival = takers.find((earlier) => takesAll(earlier, taker.pattern, method));
        if (rival !== undefined) {
          warnings.push(
            `${taker.endpoint.owner} never answers ${method}: ${nameOf(rival)} takes ${taker.pattern.toString()}`,
          );
          continue;
        }
        register(taker, { method, pattern: taker.pattern, isOverlap: false });
        for (const earlier of takers) {
          const pattern = 'endpoint' in earlier ? overlapOf(earlier, taker.pattern, method) : undefined;
          if (pattern !== undefined && 'endpoint' in earlier)
            register(earlier, { method, pattern, isOverlap: true });
        }
      }
    }
    if ('endpoint' in taker || taker.group.pattern.segments.length > 0) takers.push(taker);
  }
  return { routes, warnings };
}

function takesAll(taker: Taker, path: RoutePattern, method: HttpMethod): boolean {
  if (!('endpoint' in taker)) return taker.pattern.coversStartOf(path);
  return taker.endpoint.requestMethods.includes(method) && taker.pattern.covers(path);
}

/** The paths of a later endpoint that an earlier one takes from it. */
function overlapOf(earlier: RouteLeaf, path: RoutePattern, method: HttpMethod): RoutePattern | undefined {
  if (!earlier.endpoint.requestMethods.includes(method)) return undefined;
  const overlap = earlier.pattern.overlap(path);
  return overlap?.covers(earlier.pattern) === true ? undefined : overlap;
}

function nameOf(taker: Taker): string {
  return 'endpoint' in taker ? taker.endpoint.owner : `the group '${taker.pattern.toString()}'`;
}
