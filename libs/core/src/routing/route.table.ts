import {
  requestPath,
  type PathParameters,
  type RequestPath,
  type RoutePattern,
} from '../endpoint/route.pattern.js';
import { httpMethods } from '../endpoint/http.method.js';
import { RouteIndex, type Route } from './route.index.js';
import type { Taker } from './route.plan.js';
import type { RouteGroup, RouteLeaf, RouteMatch, RouteTree } from './route.tree.js';

/** A list of endpoints below a prefix: what the global prefix, a version and RouterModule add. */
export interface RouteMount {
  readonly prefix: RoutePattern;
  readonly tree: RouteTree;
  /** The list it is in, in words, e.g. `forFeature of TripsModule`. */
  readonly list?: string | undefined;
}

/** The meaning of a request line for the endpoints of the application. */
export interface FoundRoute {
  readonly path: RequestPath;
  /** Without the question mark. */
  readonly queryString: string;
  /** The decision; undefined when the path is none of ours. */
  readonly match: RouteMatch | undefined;
}

const noParameters: PathParameters = Object.freeze({});

/** The owner of a request, and where the values of its parameters are in the path. */
interface Taken {
  readonly taker: RouteLeaf | RouteGroup;
  readonly places: RoutePattern['places'];
}

/** Every route of the application's endpoints, in order. The one judge of which endpoint takes a request. */
export class RouteTable {
  readonly #index: RouteIndex<Taken>;

  constructor(private readonly mounts: readonly RouteMount[]) {
    this.#index = new RouteIndex(routesOf(mounts));
  }

  find(method: string, url: string): FoundRoute {
    const question = url.indexOf('?');
    const target = question === -1 ? url : url.slice(0, question);
    const path = requestPath(target.startsWith('/') ? target : withoutOrigin(target));
    const queryString = question === -1 ? '' : url.slice(question + 1);
    // No endpoint has the empty method: a malformed path is a miss, wherever it leads.
    return { path, queryString, match: this.#match(path.isMalformed ? '' : method, path.segments) };
  }

  /** The endpoints that answer some method at this path, in their order. */
  leavesAt(path: readonly string[]): RouteLeaf[] {
    const matches = httpMethods.map((method) => this.#match(method, path));
    const found = new Set(matches.flatMap((match) => (match?.kind === 'endpoint' ? [match.leaf] : [])));
    return this.mounts.flatMap(({ tree }) => tree.leaves.filter((leaf) => found.has(leaf)));
  }

  /** The path parameters of an endpoint, for a path that it answers with some method. */
  parametersOf(leaf: RouteLeaf, path: readonly string[]): PathParameters {
    for (const { tree, below } of this.#below(path))
      if (tree.leaves.includes(leaf)) return leaf.pattern.matchStart(below) ?? {};
    return {};
  }

  /** True if Nest registers this path for one of our endpoints. */
  owns(path: string): boolean {
    return this.mounts.some(({ prefix, tree }) =>
      tree.leaves.some(({ pattern }) => prefix.join(pattern).toString() === path),
    );
  }

  /** Leaves and greedy groups with their whole paths, in the order in which they take requests. */
  *takers(): Generator<Taker> {
    for (const { prefix, tree, list } of this.mounts)
      for (const taker of tree.takers()) {
        const pattern = prefix.join(taker.pattern);
        if ('endpoint' in taker) yield { kind: 'leaf', leaf: taker, pattern, list };
        else if (taker.group.pattern.segments.length > 0) yield { kind: 'group', pattern, list };
      }
  }

  #match(method: string, path: readonly string[]): RouteMatch | undefined {
    const taken = this.#index.find(method, path);
    if (taken === undefined) return undefined;
    const { taker, places } = taken;
    const values: [string, string][] = [];
    for (const [name, place] of places) values.push([name, path[place] ?? '']);
    const parameters = values.length === 0 ? noParameters : Object.fromEntries(values);
    return 'endpoint' in taker
      ? { kind: 'endpoint', leaf: taker, parameters }
      : { kind: 'miss', groups: taker.groups, parameters };
  }

  *#below(path: readonly string[]): Generator<{ tree: RouteTree; below: readonly string[] }> {
    for (const { prefix, tree } of this.mounts)
      if (prefix.matchStart(path) !== undefined) yield { tree, below: path.slice(prefix.segments.length) };
  }
}

function* routesOf(mounts: readonly RouteMount[]): Generator<Route<Taken>> {
  for (const { prefix, tree } of mounts)
    for (const taker of tree.takers()) {
      const isLeaf = 'endpoint' in taker;
      if (!isLeaf && taker.group.pattern.segments.length === 0) continue;
      const methods = isLeaf ? answeredBy(taker.endpoint.requestMethods) : undefined;
      // Parameters of the prefix are nobody's.
      const { length: depth } = prefix.segments;
      const places = taker.pattern.places.map(([name, place]) => [name, depth + place] as const);
      const target = { taker, places };
      yield { pattern: prefix.join(taker.pattern), methods, target };
    }
}

/** The methods of request lines that an endpoint answers: GET answers HEAD, too. */
function answeredBy(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

/** The path of a request line in absolute form, `GET http://host/path` (RFC 9112, 3.2.2). */
function withoutOrigin(target: string): string {
  return target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
}
