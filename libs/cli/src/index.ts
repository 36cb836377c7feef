export { runCli } from './run.cli.js';
export type { CliOptions } from './cli.options.js';
export type { ApplicationFactory, CliSource } from './application/application.source.js';
