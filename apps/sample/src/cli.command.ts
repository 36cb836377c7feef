import 'reflect-metadata';
import { runCli } from '@nest-endpoints/cli';
import { readSettings } from './atlas.settings.js';
import { createAtlas } from './create.atlas.js';

await runCli(
  { createApplication: (options) => createAtlas(readSettings(process.env), options) },
  process.argv.slice(2),
  { name: 'npm run cli --' },
);
