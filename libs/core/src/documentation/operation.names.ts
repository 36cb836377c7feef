import type { HttpMethod } from '../endpoint/http.method.js';
import type { RoutePattern } from '../endpoint/route.pattern.js';
import type { RouteLeaf } from '../routing/route.tree.js';

/** `cities/:id/trips` becomes `CitiesByIdTrips`. */
export function wordsOf({ segments }: RoutePattern): string {
  const words = segments.map((part) => ('parameter' in part ? `By-${part.parameter}` : part.literal));
  return words
    .join('-')
    .split(/[^a-z\d]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/**
 * The id of an operation: what it does to which path, `getCitiesById`, the same whatever other endpoints there are. Of
 * an endpoint with several methods, those after the first say so: `searchCitiesByPost`.
 */
export function operationIdOf({ endpoint, pattern }: RouteLeaf, method: HttpMethod, verb: string): string {
  const words = wordsOf(pattern);
  const told = words.toLowerCase().endsWith(verb.toLowerCase()) ? words.slice(0, -verb.length) : words;
  const isFirst = endpoint.requestMethods[0] === method;
  const by = isFirst ? '' : `Via${method.charAt(0)}${method.slice(1).toLowerCase()}`;
  return `${verb}${told}${by}`;
}

/** Finds the tag of an endpoint without an entity: the first word of its own url, else the last one of its groups'. */
export function tagOf({ endpoint, groups, pattern }: RouteLeaf): string {
  return (
    literals(endpoint.pattern)[0] ??
    groups.flatMap((group) => literals(group.pattern)).at(-1) ??
    literals(pattern)[0] ??
    'default'
  );
}

function literals({ segments }: RoutePattern): string[] {
  return segments.flatMap((part) => ('literal' in part ? [part.literal] : []));
}
