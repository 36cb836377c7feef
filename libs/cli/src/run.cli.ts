import { types } from 'node:util';
import { checkArguments, checkOptions, optionChecks, type OptionCheck } from '@nest-endpoints/core';
import type { CliSource } from './application/application.source.js';
import type { CliOptions } from './cli.options.js';
import { CommandSession } from './command.session.js';

const sourceCheck = optionChecks.check(
  'the root module of the application, a dynamic module, or { createApplication }',
  (value) =>
    typeof value === 'function' || (typeof value === 'object' && value !== null && !types.isPromise(value)),
);

/** An adapter has two hundred methods: one of them tells it. */
const cliChecks = {
  name: optionChecks.filledText,
  httpAdapter: optionChecks.objectThat('an HTTP adapter, e.g. new FastifyAdapter()', 'getHttpServer'),
  configure: optionChecks.callable,
} as const satisfies Record<keyof CliOptions, OptionCheck>;

/**
 * Runs one command against an application and ends the process. The application listens nowhere; the request goes through
 * its own controllers, guards, filters and interceptors. A success goes to standard output with exit code 0, another
 * answer to standard error with exit code 1. A command that cannot be meant as it was typed ends with 2, an interrupted
 * one with 130.
 *
 * @param argv the words behind the program's name, or `process.argv` itself (default)
 *
 * @throws ConfigurationError for an unknown option, and for a value that is not allowed
 * @example
 * await runCli(AppModule, process.argv.slice(2));
 *
 * @example An application that is not made of a module alone
 * await runCli({ createApplication: (options) => createAtlas(settings, options) });
 */
export async function runCli(
  source: CliSource,
  argv: readonly string[] = process.argv,
  options: CliOptions = {},
): Promise<never> {
  checkArguments('runCli', {
    source: [source, sourceCheck],
    argv: [argv, optionChecks.listOf('words', optionChecks.text)],
  });
  checkOptions('runCli', options, { checks: cliChecks });
  const words = argv === process.argv ? argv.slice(2) : argv;
  process.exit(await new CommandSession(words, options).run(() => Promise.resolve(source)));
}
