import type { RouteLeaf } from '../../routing/route.tree.js';

/** The key of the metadata of our handlers. Nest copies all metadata of a handler to what it registers for it. */
const leafKey = Symbol('endpoint of a handler');

/** The key of the metadata of our handlers of QUERY, where Nest has no name for it. */
const queryKey = Symbol('handler of QUERY');

const own = new WeakSet<object>();

/** Marks a function that we give a platform, so that it is known among those of others. */
export function markOwn<F extends object>(layer: F): F {
  own.add(layer);
  return layer;
}

export function isOwn(layer: object): boolean {
  return own.has(layer);
}

/** Marks the handler of a controller that Nest has for an endpoint. */
export function keepLeaf(handler: object, leaf: RouteLeaf): void {
  Reflect.defineMetadata(leafKey, leaf, handler);
}

/** The endpoint that a handler is for, as Nest registered it; undefined for handlers of others. */
export function leafOf(handler: unknown): RouteLeaf | undefined {
  if (typeof handler !== 'function') return undefined;
  return Reflect.getMetadata(leafKey, handler) as RouteLeaf | undefined;
}

/** Marks a handler of QUERY that Nest registers as one of another method. */
export function keepQuery(handler: object): void {
  Reflect.defineMetadata(queryKey, true, handler);
}

/** True for a marked handler of QUERY, as Nest registers it. */
export function isForQuery(handler: unknown): boolean {
  return typeof handler === 'function' && Reflect.hasMetadata(queryKey, handler);
}

/** True for a key of the metadata that this file writes. */
export function isOwnKey(key: unknown): boolean {
  return key === leafKey || key === queryKey;
}
