import type { ModulesContainer } from '@nestjs/core';
import type { MountedFeature } from '../../http/mounted.feature.js';

/** The place of a list of endpoints: the module that imports it, or whose controllers' methods they are. */
export interface FeaturePlace {
  readonly moduleName: string;
  /** The number of the list, where its module imports several. */
  readonly number: number | undefined;
}

/** Finds the place of a feature. @returns undefined where no module imports it */
export function featurePlace(
  { source, moduleClass }: MountedFeature,
  container: ModulesContainer,
  features: readonly MountedFeature[],
): FeaturePlace | undefined {
  const modules = [...container.values()];
  const own = modules.find(({ metatype }) => metatype === moduleClass);
  if (own === undefined) return undefined;
  if (source === 'controller') return { moduleName: own.name, number: undefined };
  const importing = modules.find(({ imports }) => imports.has(own));
  if (importing === undefined) return undefined;
  const imported = [...importing.imports].map(({ metatype }) => metatype);
  const lists = imported.filter((type) => isList(type, features));
  const number = lists.length > 1 ? lists.indexOf(moduleClass) + 1 : undefined;
  return { moduleName: importing.name, number };
}

function isList(type: unknown, features: readonly MountedFeature[]): boolean {
  return features.some(({ source, moduleClass }) => source === 'forFeature' && moduleClass === type);
}
