import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A program that listens. */
export interface Program {
  /** The address that it says. */
  readonly url: string;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

const stop = async (child: ChildProcess): Promise<void> => {
  running.delete(child);
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
};

/** Ends all that were started. */
export const stopPrograms = async (): Promise<void> => {
  for (const child of running) await stop(child);
};

/** Starts a program in a process of its own, and waits until it says where it listens. */
const start = async (
  words: readonly string[],
  settings: NodeJS.ProcessEnv,
  listening: RegExp,
): Promise<Program> => {
  const env = { ...process.env, NODE_OPTIONS: '', ...settings };
  const child = spawn(process.execPath, words, { env });
  running.add(child);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      const found = listening.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    child.on('exit', () => reject(new Error(`${String(words[0])} ended instead of listening: ${output}`)));
  });
  return { url, stop: () => stop(child) };
};

/** The built sample over the records of a directory, which are loaded when they are not there. */
export const startSample = (platform: string, directory: string): Promise<Program> =>
  start(
    [here('../../apps/sample/dist/main.js')],
    { DATABASE_URL: '', HTTP_PLATFORM: platform, DATA_DIR: directory, HOST: '127.0.0.1', PORT: '0' },
    /listens on (\S+)\. Try:/,
  );

/** The pages of a directory, and below `/api` the service. */
export const startPages = (directory: string, service: string): Promise<Program> =>
  start(
    [here('../../apps/front-ends/serve.mjs'), directory],
    { ATLAS_URL: service, PORT: '0' },
    /Pages: (http:\/\/[^/]+)\//,
  );
