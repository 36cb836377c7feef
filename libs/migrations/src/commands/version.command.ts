import { createRequire } from 'node:module';
import { serverVersion } from '../database/target.database.js';
import type { Command } from './command.context.js';

const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };

/** What is at work here: this package, the diff tool, the database. */
export const version: Command = async ({ database, tool }) => [
  `@nest-endpoints/migrations ${manifest.version}`,
  (await tool()).version,
  await database.transaction(serverVersion, { readOnly: true }),
];
