import { Public } from '../../access/authentication.js';
import type { Operation } from '../../access/operation.access.js';
import { ParentRule } from '../../access/parent.rule.js';
import type { PartitionRule } from '../../access/partition.rule.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { InheritedOptions } from '../../endpoint/options/endpoint.options.js';
import type { RootOptions } from '../../endpoint/options/settings.js';
import type { Storage } from '../../endpoint/storage.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import { internalCasingOf } from './internal.casing.js';
import { settingsWithAccess } from './needed.access.js';
import { refuseUntold } from './refused.settings.js';
import { spared } from './spared.settings.js';

/** No matter who asks. */
const everybody = { authentication: new Public(), authorizations: [] };

/** The objects around a leaf that its settings depend on. */
interface Surroundings {
  readonly options: RootOptions;
  readonly storage: Storage | undefined;
  readonly partition: PartitionRule | undefined;
}

/** Gives the settings of the endpoint at a leaf: those of its own, of the groups around it, and of `forRoot`. */
export function settingsAt(
  leaf: RouteLeaf,
  { options, storage, partition }: Surroundings,
): KindContext['settings'] {
  const { endpoint, groups } = leaf;
  const operation = groups.at(-1)?.operationOf(endpoint) ?? endpoint.operation;
  const layersOf = (one: Operation): readonly InheritedOptions[] => {
    const around = groups.flatMap((group) => [group.options, group.accessTo(one)]);
    return [options, ...around, endpoint.options];
  };
  const isNamed = groups.some((group) => group.accessTo(operation).authentication !== undefined);
  const inherited = settingsWithAccess(leaf.owner, operation, layersOf, isNamed);
  refuseUntold(leaf.owner, inherited, options);
  const internalCasing = internalCasingOf(leaf, inherited, storage);
  if (endpoint.isPublic) return { ...inherited, ...everybody, ...spared(endpoint), internalCasing };
  const authorizations = endpoint.hasRecords
    ? inherited.authorizations
    : inherited.authorizations.filter(({ isAboutRecords }) => isAboutRecords !== true);
  return {
    ...inherited,
    ...spared(endpoint),
    authorizations,
    internalCasing,
    partition,
    parent: parentRuleOf(leaf),
  };
}

/** The parent of a nested resource; undefined where the endpoint names none. */
function parentRuleOf({ endpoint, owner, pattern }: RouteLeaf): ParentRule | undefined {
  const parent: unknown = Reflect.get(endpoint.options, 'parent');
  return typeof parent === 'string' ? new ParentRule(owner, parent, pattern.parameterNames) : undefined;
}
