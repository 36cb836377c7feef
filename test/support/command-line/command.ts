import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const binary = fileURLToPath(new URL('../../../libs/cli/dist/nest-endpoints.js', import.meta.url));

/** The file that each platform's application is in. */
const files = {
  express: 'library.module.ts',
  fastify: 'fastify.application.mjs',
  broken: 'broken.module.mjs',
  none: 'no.module.mjs',
} as const;

/** What a command is run with. */
export interface CommandOptions {
  readonly application?: keyof typeof files;
  readonly databaseUrl?: string;
  /** Written to standard input; without it, that is empty. `open` leaves it open and writes nothing. */
  readonly input?: string | 'open';
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

/** Starts the built binary. */
export const startCommand = (words: readonly string[], options: CommandOptions = {}): RunningCommand => {
  const { application = 'express', databaseUrl = '', input, environment = {} } = options;
  const file = fileURLToPath(new URL(files[application], import.meta.url));
  const { NODE_OPTIONS: _, TOKEN: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [binary, file, ...words], {
    env: {
      ...inherited,
      NO_COLOR: '1',
      NODE_NO_WARNINGS: '1',
      LIBRARY_SECRET: 'open sesame',
      DATABASE_URL: databaseUrl,
      ...environment,
    },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (input !== 'open') child.stdin?.end(input);
  return { child, ended: endOf(child) };
};

/** Runs the built binary to its end. */
export const command = (words: readonly string[], options: CommandOptions = {}): Promise<Ended> =>
  startCommand(words, options).ended;

const endOf = async (child: ChildProcess): Promise<Ended> => {
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
};
