import { createRequire } from 'node:module';
import { serverVersion } from '../database/target.database.js';
import type { Command } from './command.context.js';

const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

/** Reports the versions of this package, the diff tool and the database. */
export const version: Command = async ({ database, tool }) => [
  `@nest-endpoints/migrations ${manifest.version}`,
  (await tool()).version,
  await database.transaction(serverVersion, { readOnly: true }),
];
