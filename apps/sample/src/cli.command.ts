import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Most of a start is reading code, so the engine keeps what it made of it for the next command.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/atlas', import.meta.url)));

const { runAtlas } = await import('./run.atlas.js');
await runAtlas(process.argv.slice(2));
