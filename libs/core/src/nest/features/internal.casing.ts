import type { EntityName } from '@mikro-orm/core';
import type { InheritedSettings } from '../../endpoint/options/settings.js';
import type { Storage } from '../../endpoint/storage.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import type { Casing } from '../../wire/casing.js';

/** The casing of an endpoint's own names: the one that is given, else that of its entity's properties. */
export function internalCasingOf(
  { owner, endpoint: { options } }: RouteLeaf,
  { givenCasing }: InheritedSettings,
  storage: Storage | undefined,
): Casing {
  if (givenCasing !== undefined || storage === undefined) return givenCasing ?? 'snake_case';
  const { modelClass } = options as { readonly modelClass?: EntityName };
  return storage.models.casingOf(modelClass, owner, namesIn(options));
}

/** The names of columns that options say. */
function namesIn(options: object): readonly string[] {
  return Object.entries(options).flatMap(([option, value]): string[] => {
    if (option === 'columnOverrides') return Object.keys(value as object);
    return /ColumnNames?$/.test(option) ? ([value ?? []].flat() as string[]) : [];
  });
}
