import 'reflect-metadata';
import { loadModule } from './application/module.file.js';
import type { CliSource } from './application/application.source.js';
import { CommandSession } from './command.session.js';
import { UsageError } from './command-line/usage.error.js';

const usage = `Usage: nest-endpoints <built module> <path> [--key=value …]

  nest-endpoints dist/app.module.js cities --limit=5
  nest-endpoints dist/app.module.js --help

The file exports AppModule, or createApplication(options): a function that makes the application without listening.`;

/** The `nest-endpoints` program. @returns the exit code */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const [file, ...words] = argv;
  if (file === '--help' || file === '-h') return new CommandSession([], {}).print(`${usage}\n`);
  if (file === undefined || file.startsWith('-')) {
    const refuse = (): Promise<CliSource> => Promise.reject(new UsageError(usage));
    return new CommandSession([], {}).run(refuse);
  }
  return new CommandSession(words, { name: `nest-endpoints ${file}` }).run(() => loadModule(file));
}
