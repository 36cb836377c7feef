import type { Type } from '@nestjs/common';
import type { RouteLeaf, RouteTree } from '../routing/route.tree.js';

/** Feature as far as routing needs to know it: one `forFeature` call, or one controller with endpoints. */
export interface MountedFeature {
  readonly source: 'forFeature' | 'controller';
  readonly moduleClass: Type;
  readonly tree: RouteTree;
  readonly controllers: ReadonlyMap<RouteLeaf, Type>;
}
