#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Most of a start is reading code. The directory is the user's own, because others must not be able to put code there.
enableCompileCache(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'nest-endpoints'));

const { runProgram } = await import('./command.program.js');
process.exit(await runProgram(process.argv.slice(2)));
