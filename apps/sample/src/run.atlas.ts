import 'reflect-metadata';
import { runCli } from '@nest-endpoints/cli';
import { readSettings } from './atlas.settings.js';
import { createAtlas } from './create.atlas.js';

/** Runs one command on the atlas, and ends the process. */
export function runAtlas(argv: readonly string[]): Promise<never> {
  const createApplication = (options: Parameters<typeof createAtlas>[1]): ReturnType<typeof createAtlas> =>
    createAtlas(readSettings(process.env), options);
  return runCli({ createApplication }, argv, { name: 'npm run cli --' });
}
