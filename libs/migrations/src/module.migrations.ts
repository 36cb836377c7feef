import type { ModulesContainer } from '@nestjs/core';
import { ConfigurationError } from '@nest-endpoints/core';
import { AdditionalMigrations } from './additional.migrations.js';

/**
 * The paths of the additional migrations of all modules, in the order in which Nest found the modules.
 *
 * @param names the classes to include; empty includes all
 * @throws ConfigurationError for a class that no module provides
 */
export function modulePaths(
  owner: string,
  modules: ModulesContainer,
  names: readonly string[],
): readonly string[] {
  const found = [...modules.values()].flatMap(({ providers }) =>
    [...providers.values()].flatMap(({ instance }) =>
      instance instanceof AdditionalMigrations ? [instance] : [],
    ),
  );
  // A provider that is known by two tokens is still one.
  const migrations = [...new Set(found)];
  const known = new Set(migrations.map(({ constructor }) => constructor.name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new ConfigurationError(
      owner,
      'moduleMigrations',
      `'${unknown}' is provided by no module; allowed: ${[...known].join(', ')}`,
    );
  const included = migrations.filter(
    ({ constructor }) => names.length === 0 || names.includes(constructor.name),
  );
  return included.flatMap((one) => one.paths());
}
