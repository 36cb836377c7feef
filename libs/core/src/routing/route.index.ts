import type { RoutePattern } from '../endpoint/route.pattern.js';

/** A taker of requests at a path: an endpoint there, or a group at the path and all below it. */
export interface Route<Target> {
  readonly pattern: RoutePattern;
  /** The methods an endpoint answers; undefined for a group, which takes every one. */
  readonly methods: readonly string[] | undefined;
  readonly target: Target;
}

interface Ranked<Target> {
  readonly rank: number;
  readonly route: Route<Target>;
}

interface Branch<Target> {
  readonly words: Map<string, Branch<Target>>;
  parameter: Branch<Target> | undefined;
  /** The first group that takes everything from here on. */
  group: Ranked<Target> | undefined;
  /** The first endpoint that ends here, by method. */
  readonly ends: Map<string, Ranked<Target>>;
}

/**
 * Finds the first of many routes that takes a path, in a time that depends on the path's length and not on how many
 * routes there are.
 */
export class RouteIndex<Target> {
  readonly #root = branch<Target>();

  /** @param routes in the order in which they take requests */
  constructor(routes: Iterable<Route<Target>>) {
    let rank = 0;
    for (const route of routes) this.#add({ rank: rank++, route });
  }

  find(method: string, path: readonly string[]): Target | undefined {
    return firstOf(this.#root, method, path, 0, undefined)?.route.target;
  }

  #add(ranked: Ranked<Target>): void {
    const { pattern, methods } = ranked.route;
    let at = this.#root;
    for (const segment of pattern.segments) {
      if ('parameter' in segment) at = at.parameter ??= branch();
      else {
        const next = at.words.get(segment.literal) ?? branch<Target>();
        at.words.set(segment.literal, next);
        at = next;
      }
    }
    if (methods === undefined) at.group ??= ranked;
    else for (const method of methods) if (!at.ends.has(method)) at.ends.set(method, ranked);
  }
}

function branch<Target>(): Branch<Target> {
  return { words: new Map(), parameter: undefined, group: undefined, ends: new Map() };
}

/**
 * The route of the lowest rank on any way through the branches; a word and a parameter may both lead on.
 *
 * @param depth of the branch, in segments of the path
 * @param found on the ways before
 */
function firstOf<Target>(
  from: Branch<Target>,
  method: string,
  path: readonly string[],
  depth: number,
  found: Ranked<Target> | undefined,
): Ranked<Target> | undefined {
  let best = found;
  let at: Branch<Target> | undefined = from;
  for (let next = depth; at !== undefined; next += 1) {
    const { words, parameter, group, ends }: Branch<Target> = at;
    if (group !== undefined && (best === undefined || group.rank < best.rank)) best = group;
    const segment = path[next];
    if (segment === undefined) {
      const end = ends.get(method);
      return end !== undefined && (best === undefined || end.rank < best.rank) ? end : best;
    }
    const word = words.get(segment);
    if (word !== undefined && parameter !== undefined) best = firstOf(word, method, path, next + 1, best);
    at = parameter ?? word;
  }
  return best;
}
