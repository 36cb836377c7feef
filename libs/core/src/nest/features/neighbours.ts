import { isDeepStrictEqual } from 'node:util';
import type { MountedFeature } from '../../http/mounted.feature.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import { declaredVersion } from './route.mounts.js';

/** The endpoints that stand in the same groups as another, at the same versions, in their order. */
export function neighboursOf({ tree, controllers }: MountedFeature, leaf: RouteLeaf): readonly RouteLeaf[] {
  const versionOf = (one: RouteLeaf): unknown => {
    const controller = controllers.get(one);
    return controller && declaredVersion(controller);
  };
  const version = versionOf(leaf);
  return tree.leaves.filter(
    (one) => one !== leaf && areSame(one.groups, leaf.groups) && isDeepStrictEqual(versionOf(one), version),
  );
}

function areSame(groups: RouteLeaf['groups'], others: RouteLeaf['groups']): boolean {
  return groups.length === others.length && groups.every((group, index) => group === others[index]);
}
