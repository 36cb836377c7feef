import { Logger, type Type } from '@nestjs/common';
import { Compilation } from '../endpoint/compilation.js';
import type { EndpointOrGroup } from '../endpoint/endpoint.group.js';
import { planRoutes } from '../routing/route.plan.js';
import { RouteTree, type RouteLeaf } from '../routing/route.tree.js';
import { settingsOf, type RootOptions } from '../endpoint/settings.js';
import type { Storage } from '../endpoint/storage.js';
import { AnswerStyle } from './answers/answer.style.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import { controllerName, endpointController, preflightController } from './controller.factory.js';
import type { CompiledFeature } from './endpoint.directory.js';
import type { MountedFeature } from './route.mounts.js';

/** The endpoints of one `forFeature` call: paths and controllers are fixed when the module is defined. */
export class Feature implements MountedFeature {
  readonly tree: RouteTree;
  readonly controllers: ReadonlyMap<RouteLeaf, Type>;
  readonly preflight: Type;
  readonly #warnings: readonly string[];

  constructor(
    readonly moduleClass: Type,
    endpoints: readonly EndpointOrGroup[],
  ) {
    this.tree = RouteTree.of(endpoints);
    const { routes, warnings } = planRoutes(this.tree);
    this.#warnings = warnings;
    const names = new Set<string>();
    this.controllers = new Map(
      this.tree.leaves.map((leaf) => {
        const name = controllerName(leaf, names);
        names.add(name);
        return [leaf, endpointController(leaf, routes.get(leaf) ?? [], name)] as const;
      }),
    );
    this.preflight = preflightController(this.tree);
  }

  /**
   * Makes every endpoint ready, when the application starts and metadata is complete.
   * @throws ConfigurationError, naming endpoint, option, value and the allowed values
   */
  compile(options: RootOptions, storage: Storage | undefined): CompiledFeature {
    const logger = new Logger('Endpoints');
    for (const warning of this.#warnings) logger.warn(warning);
    const endpoints = this.tree.leaves.map((leaf) => compiled(leaf, options, storage));
    const { moduleClass, tree, controllers } = this;
    return { moduleClass, tree, controllers, endpoints };
  }
}

function compiled(leaf: RouteLeaf, options: RootOptions, storage: Storage | undefined): CompiledEndpoint {
  const { endpoint, groups } = leaf;
  const settings = settingsOf(endpoint.owner, [
    options,
    ...groups.map((group) => group.options),
    endpoint.options,
  ]);
  const compilation = new Compilation(endpoint.owner, leaf.pattern, settings, options, storage);
  return {
    leaf,
    style: new AnswerStyle(endpoint.owner, settings),
    handler: endpoint.compile(compilation),
    fork: () => compilation.database.fork(),
  };
}
