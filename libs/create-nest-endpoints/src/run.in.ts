import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program of this machine in a directory, at the same terminal. Gives whether it did what it was to do. */
export async function runIn(directory: string, program: string, words: readonly string[]): Promise<boolean> {
  // On Windows npm is no program, but a script of the shell.
  const shell = process.platform === 'win32';
  const child = spawn(program, words, { cwd: directory, stdio: 'inherit', shell });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code === 0) return true;
    process.stderr.write(`${program} ${words.join(' ')} ended with ${String(code)}\n`);
  } catch (error) {
    process.stderr.write(
      `${program} cannot be run: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
  return false;
}
