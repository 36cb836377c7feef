import type { RouteLeaf } from '../../routing/route.tree.js';

/** The key of the metadata of our handlers. Nest copies all metadata of a handler to what it registers for it. */
const leafKey = Symbol('endpoint of a handler');

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

/** True for a key of the metadata that this file writes. */
export function isLeafKey(key: unknown): boolean {
  return key === leafKey;
}
