import type { HttpMethod } from '../endpoint/http.method.js';
import type { RoutePattern } from '../endpoint/route.pattern.js';
import type { RouteLeaf } from './route.tree.js';

/** The owner of requests: a leaf takes those of its own path, a greedy group all below its path. Paths are whole. */
export type Taker =
  ({ readonly kind: 'leaf'; readonly leaf: RouteLeaf } & Taken) | ({ readonly kind: 'group' } & Taken);

interface Taken {
  readonly pattern: RoutePattern;
  /** The list of endpoints it is from, in words. */
  readonly list?: string | undefined;
}

/** One handler that Nest registers, with the paths under which a router that prefers fixed words must know it. */
export interface PlannedHandler {
  readonly leaf: RouteLeaf;
  /** The whole path. */
  readonly pattern: RoutePattern;
  readonly method: HttpMethod;
  /** The path under which Nest registers it. */
  readonly path: string;
  /** Empty when something earlier takes every request of the handler. */
  readonly paths: readonly string[];
}

export interface RoutePlan {
  /** In the order of the takers. */
  readonly handlers: readonly PlannedHandler[];
  /** Sentences about what is swallowed and never answers. */
  readonly warnings: readonly string[];
}

type LeafTaker = Extract<Taker, { kind: 'leaf' }>;

/**
 * Plans what to register with a router that does not take routes in their order: Fastify's prefers fixed words to
 * parameters. Greedy top-down routing holds all the same. Paths that something earlier takes are not registered. An
 * earlier endpoint that takes only some paths of a later one gets those paths, too.
 */
export function planRoutes(takers: Iterable<Taker>): RoutePlan {
  const handlers: (PlannedHandler & { readonly taker: LeafTaker; readonly paths: string[] })[] = [];
  const warnings: string[] = [];
  const registered = new Set<string>();
  const earlier: Taker[] = [];
  for (const taker of takers) {
    const methods = taker.kind === 'leaf' ? taker.leaf.endpoint.requestMethods : [];
    for (const method of methods) {
      const path = taker.pattern.toString();
      const rival = earlier.find((other) => takesAll(other, taker.pattern, method));
      if (rival !== undefined) warnings.push(swallowed(taker, rival, method));
      const paths = rival === undefined && isNew(registered, method, taker.pattern) ? [path] : [];
      for (const handler of rival === undefined ? handlers : []) {
        const overlap = handler.method === method ? overlapOf(handler.taker, taker.pattern) : undefined;
        if (overlap !== undefined && isNew(registered, method, overlap))
          handler.paths.push(overlap.toString());
      }
      if (taker.kind === 'leaf')
        handlers.push({ leaf: taker.leaf, pattern: taker.pattern, method, path, paths, taker });
    }
    earlier.push(taker);
  }
  return { handlers, warnings };
}

/** Warns of a lost handler: what is lost, to whom, and what to do about it. */
function swallowed(taker: Taker, rival: Taker, method: HttpMethod): string {
  const isElsewhere = taker.list !== rival.list && taker.list !== undefined && rival.list !== undefined;
  const [later, first] = isElsewhere
    ? [`${nameOf(taker)} (${taker.list})`, `${nameOf(rival)} (${rival.list})`]
    : [nameOf(taker), nameOf(rival)];
  const isSame = rival.kind === 'leaf' && rival.pattern.shape === taker.pattern.shape;
  const remedy = isSame
    ? 'give one of them another url, or other requestMethods'
    : isElsewhere
      ? 'import its module earlier'
      : 'list it before that';
  return `${later} never answers ${method}: ${first} takes its path first; ${remedy}`;
}

function takesAll(taker: Taker, path: RoutePattern, method: HttpMethod): boolean {
  if (taker.kind === 'group') return taker.pattern.coversStartOf(path);
  return taker.leaf.endpoint.requestMethods.includes(method) && taker.pattern.covers(path);
}

/** The paths of a later endpoint that an earlier one takes from it. */
function overlapOf(earlier: LeafTaker, path: RoutePattern): RoutePattern | undefined {
  const overlap = earlier.pattern.overlap(path);
  return overlap?.covers(earlier.pattern) === true ? undefined : overlap;
}

function isNew(registered: Set<string>, method: HttpMethod, { shape }: RoutePattern): boolean {
  const size = registered.size;
  return registered.add(`${method} ${shape}`).size > size;
}

function nameOf(taker: Taker): string {
  return taker.kind === 'leaf'
    ? `${taker.leaf.endpoint.kind} '${taker.pattern.text}'`
    : `the group '${taker.pattern.text}'`;
}
