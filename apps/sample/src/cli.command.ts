import { keepCompiledCode } from './compiled.code.js';

keepCompiledCode();

const { runAtlas } = await import('./run.atlas.js');
await runAtlas(process.argv.slice(2));
