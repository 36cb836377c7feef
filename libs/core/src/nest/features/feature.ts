import type { Type } from '@nestjs/common';
import type { EndpointOrGroup } from '../../endpoint/endpoint.group.js';
import { RouteTree, type RouteLeaf } from '../../routing/route.tree.js';
import { controllerName, endpointController, preflightController } from '../controller.factory.js';
import type { MountedFeature } from '../../http/mounted.feature.js';

/** The endpoints of one `forFeature` call: paths and controllers are fixed when the module is defined. */
export class Feature implements MountedFeature {
  readonly source = 'forFeature';
  readonly tree: RouteTree;
  readonly controllers: ReadonlyMap<RouteLeaf, Type>;
  readonly preflight: Type;

  constructor(
    readonly moduleClass: Type,
    endpoints: readonly EndpointOrGroup[],
  ) {
    this.tree = RouteTree.of(endpoints);
    const names = new Set<string>();
    this.controllers = new Map(
      this.tree.leaves.map((leaf) => {
        const name = controllerName(leaf, names);
        names.add(name);
        return [leaf, endpointController(leaf, name)] as const;
      }),
    );
    this.preflight = preflightController(this.tree);
  }
}
