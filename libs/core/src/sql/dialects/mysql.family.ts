import type { Platform } from '@mikro-orm/core';

/** True for the platform of `@mikro-orm/mariadb`, which is not ours to require. */
export function isMariaDb(platform: Platform): boolean {
  return platform.constructor.name === 'MariaDbPlatform';
}
