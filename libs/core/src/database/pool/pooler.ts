import type { Configuration } from '@mikro-orm/core';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { Pooler } from './recommended.options.js';

/** The pooler that `recommendedOptions` was told of; undefined without one. */
export function poolerOf(config: Configuration): Pooler | undefined {
  const options: unknown = config.get('driverOptions');
  return typeof options === 'object' && options !== null
    ? (Reflect.get(options, 'pooler') as Pooler | undefined)
    : undefined;
}

/**
 * Variables and roles of a session stay on a connection that the pooler lends to somebody else next.
 *
 * @throws ConfigurationError where MikroORM would set them so
 */
export function checkPooler(config: Configuration): void {
  if (poolerOf(config) !== undefined && config.get('sessionContext') === 'connection')
    throw new ConfigurationError(
      'MikroORM',
      'sessionContext',
      `'connection' lends its variables to strangers behind a pooler; allowed: transaction`,
    );
}
