import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const binary = fileURLToPath(new URL('../../../libs/cli/dist/nest-endpoints.js', import.meta.url));

/** The file that each platform's application is in. */
const files = {
  express: 'library.module.ts',
  fastify: 'fastify.application.mjs',
  migrated: 'migrated.module.ts',
  mariadb: 'mariadb.module.ts',
  recorded: 'recorded.module.ts',
  directory: 'directory.module.ts',
  broken: 'broken.module.ts',
  agents: 'agents.module.ts',
  told: 'told.module.ts',
  none: 'no.module.mjs',
} as const;

/** What a command is run with. */
export interface CommandOptions {
  readonly application?: keyof typeof files;
  readonly databaseUrl?: string;
  /** Written to standard input, which is then closed, unless it is to stay open. */
  readonly input?: string;
  /** Leaves standard input open. Default false. */
  readonly isInputOpen?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
}

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A command that runs, in a process of its own. */
export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The program and the words of a command, for whoever starts it. */
export const programOf = (
  words: readonly string[],
  options: CommandOptions = {},
): readonly [program: string, ...words: string[]] => [process.execPath, binary, fileOf(options), ...words];

/** Starts the built binary. */
export const startCommand = (words: readonly string[], options: CommandOptions = {}): RunningCommand => {
  const [program, ...rest] = programOf(words, options);
  return start(program, rest, options);
};

/** Runs the built binary in a terminal, which is both of its outputs. */
export const inTerminal = (words: readonly string[], options: CommandOptions = {}): Promise<Ended> => {
  const line = [process.execPath, binary, fileOf(options), ...words].map((word) => `'${word}'`).join(' ');
  // Node shows no colours where it is told of continuous integration, whatever the terminal.
  const environment = { ...options.environment, TERM: 'xterm', NO_COLOR: undefined, CI: undefined };
  return start('script', ['-qec', line, '/dev/null'], { ...options, environment }).ended;
};

/** Runs the built binary with its standard output in a file. */
export const intoFile = (
  path: string,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> =>
  start('sh', ['-c', 'exec "$@" > "$0"', path, ...programOf(words, options)], options).ended;

/** Asks the built binary for its own help, which needs no application, and has it written into a file. */
export const helpIntoFile = (path: string): Promise<Ended> =>
  start('sh', ['-c', 'exec "$@" > "$0"', path, process.execPath, binary, '--help'], {}).ended;

const fileOf = ({ application = 'express' }: CommandOptions): string =>
  fileURLToPath(new URL(files[application], import.meta.url));

/** Runs the built binary to its end. */
export const command = (words: readonly string[], options: CommandOptions = {}): Promise<Ended> =>
  startCommand(words, options).ended;

/** Runs a program of the user's own to its end. */
export const runProgram = (
  file: string,
  words: readonly string[],
  options: CommandOptions = {},
): Promise<Ended> => start(process.execPath, [file, ...words], options).ended;

const start = (program: string, words: readonly string[], options: CommandOptions): RunningCommand => {
  const { databaseUrl = '', input, isInputOpen = false, environment = {} } = options;
  const { NODE_OPTIONS: _, TOKEN: __, ...inherited } = process.env;
  const child = spawn(program, words, {
    env: {
      ...inherited,
      NO_COLOR: '1',
      NODE_NO_WARNINGS: '1',
      // Applications of tests are TypeScript, which Node 22.17 reads only when it is told to.
      NODE_OPTIONS: '--experimental-strip-types',
      LIBRARY_SECRET: 'open sesame',
      DATABASE_URL: databaseUrl,
      ...environment,
    },
    stdio: [input === undefined && !isInputOpen ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (!isInputOpen) child.stdin?.end(input);
  else if (input !== undefined) child.stdin?.write(input);
  return { child, ended: endOf(child) };
};

const endOf = async (child: ChildProcess): Promise<Ended> => {
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
};
