import { keepCompiledCode } from './compiled.code.js';

keepCompiledCode();

const { startAtlas } = await import('./start.atlas.js');
await startAtlas();
