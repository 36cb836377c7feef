import type { RouteLeaf } from '../../routing/route.tree.js';

/** The key of the metadata of our handlers. Nest copies all metadata of a handler to what it registers for it. */
const leafKey = Symbol('endpoint of a handler');

/** The key of the metadata of our handlers of QUERY, where Nest has no name for it. */
const queryKey = Symbol('handler of QUERY');

/** The key of the metadata of our handlers of OPTIONS. */
const preflightKey = Symbol('handler of preflights');

const own = new WeakSet<object>();

const middleware = new WeakSet<object>();

/** Marks a function that we give a platform, so that it is known among those of others. */
export function markOwn<F extends object>(layer: F): F {
  own.add(layer);
  return layer;
}

export function isOwn(layer: object): boolean {
  return own.has(layer);
}

/** Marks what Nest registers for the middleware of a module. */
export function markMiddleware<F extends object>(layer: F): F {
  middleware.add(layer);
  return layer;
}

export function isMiddleware(layer: object): boolean {
  return middleware.has(layer);
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

/** Marks a handler of OPTIONS, of which Nest only registers the path. */
export function keepPreflight(handler: object): void {
  Reflect.defineMetadata(preflightKey, true, handler);
}

/** True for a marked handler of OPTIONS, as Nest registers it. */
export function isForPreflight(handler: unknown): boolean {
  return typeof handler === 'function' && Reflect.hasMetadata(preflightKey, handler);
}

/** True for a key of the metadata that this file writes. */
export function isOwnKey(key: unknown): boolean {
  return key === leafKey || key === queryKey || key === preflightKey;
}
