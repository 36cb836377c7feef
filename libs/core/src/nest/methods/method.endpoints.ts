import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import type { Endpoint } from '../../endpoint/endpoint.js';
import type { Storage } from '../../endpoint/storage.js';
import { RouteTree, type RouteLeaf } from '../../routing/route.tree.js';
import type { ApplicationDocumentation } from '../documentation/application.documentation.js';
import type { FeatureCompiler } from '../features/feature.compiler.js';
import { methodEndpointsOf } from './method.endpoint.js';

/** Nest keeps the paths of a controller under this key, which it does not export by name. */
const pathKey = 'path';

/** The endpoints among the methods of an application's own controllers. */
export class MethodEndpoints {
  /** The handlers that Nest calls for an endpoint. */
  readonly #documented = new WeakSet<object>();
  readonly #handlers = new Map<RouteLeaf, ReadonlySet<unknown>>();

  /** Compiles them as those of a feature. @throws ConfigurationError */
  constructor(
    modules: ModulesContainer,
    private readonly compiler: FeatureCompiler,
    private readonly documentation: ApplicationDocumentation,
    private readonly storage: Storage | undefined,
  ) {
    for (const { metatype: moduleClass, controllers } of modules.values())
      for (const { metatype } of controllers.values())
        if (typeof metatype === 'function') this.#add(moduleClass, metatype as Type);
  }

  /** True if Nest called a handler of the endpoint that the route table chose. */
  isHandlerOf(handler: unknown, leaf: RouteLeaf): boolean {
    return this.#handlers.get(leaf)?.has(handler) === true;
  }

  #add(moduleClass: Type, controller: Type): void {
    const prototype = controller.prototype as Readonly<Record<string, unknown>>;
    const handlers = new Map<Endpoint, ReadonlySet<unknown>>();
    // A controller with several paths has each of its endpoints at all of them.
    for (const path of pathsOf(controller))
      for (const { url, endpointAt, handlers: keys } of methodEndpointsOf(prototype))
        handlers.set(endpointAt(`${path}/${url}`), new Set(keys.map((key) => prototype[key])));
    if (handlers.size === 0) return;
    const tree = RouteTree.of([...handlers.keys()]);
    const controllers = new Map(tree.leaves.map((leaf) => [leaf, controller] as const));
    this.compiler.compile({ source: 'controller', moduleClass, tree, controllers }, this.storage);
    for (const leaf of tree.leaves) {
      const own = handlers.get(leaf.endpoint) ?? new Set();
      this.#handlers.set(leaf, own);
      this.#document(leaf, [...own]);
    }
  }

  /** A method that is at several paths is documented at the first. */
  #document(leaf: RouteLeaf, handlers: readonly unknown[]): void {
    for (const [index, method] of leaf.endpoint.requestMethods.entries()) {
      const handler = handlers[index];
      if (typeof handler !== 'function' || this.#documented.has(handler)) continue;
      this.#documented.add(handler);
      this.documentation.decorateHandler(handler, leaf, method);
    }
  }
}

function pathsOf(controller: Type): readonly string[] {
  const path = Reflect.getMetadata(pathKey, controller) as string | readonly string[] | undefined;
  return [path ?? ''].flat();
}
