#!/usr/bin/env node
import 'reflect-metadata';
import { loadModule } from './application/module.file.js';
import { CommandSession } from './command.session.js';
import { UsageError } from './command-line/usage.error.js';

const usage = `Usage: nest-endpoints <built module> <path> [--key=value …]

  nest-endpoints dist/app.module.js cities --limit=5
  nest-endpoints dist/app.module.js --help

The file exports AppModule, or createApplication(options): a function that makes the application without listening.`;

const [file, ...words] = process.argv.slice(2);
if (file === '--help' || file === '-h') {
  process.stdout.write(`${usage}\n`);
} else {
  const isFile = file !== undefined && !file.startsWith('-');
  const session = new CommandSession(words, { name: isFile ? `nest-endpoints ${file}` : 'nest-endpoints' });
  const load = (): ReturnType<typeof loadModule> =>
    isFile ? loadModule(file) : Promise.reject(new UsageError(usage));
  process.exit(await session.run(load));
}
