import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

/** In milliseconds; an installation from a cold cache takes the longest. */
const patience = 300_000;

/** A shell that goes on from command to command, as that of a reader does: where it is, and what variables are. */
export class Shell {
  #child;
  #output = '';
  #hear = () => undefined;

  /**
   * @param {string} directory
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(directory, env) {
    this.#child = spawn('bash', ['--noprofile', '--norc'], {
      cwd: directory,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text) => {
      this.#output += text;
      this.#hear(false);
    });
    this.#child.once('exit', () => this.#hear(true));
  }

  /**
   * What a command prints. One that fails is an error with that.
   * @param {string} command
   */
  async run(command) {
    const end = randomUUID();
    this.#output = '';
    const told = new RegExp(`\n${end} (\\d+)\n$`);
    // What it has in common with the shell is all but the standard input, where the next command comes from.
    this.#child.stdin.write(`{ ${command}\n} </dev/null 2>&1; printf '\\n%s %s\\n' ${end} $?\n`);
    const code = await new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`${command}\nis not at its end:\n${this.#output}`)),
        patience,
      );
      this.#hear = (isEnded) => {
        const found = told.exec(this.#output);
        if (found === null && !isEnded) return;
        clearTimeout(late);
        if (found === null) reject(new Error(`${command}\nended the shell:\n${this.#output}`));
        else resolve(found[1]);
      };
    });
    const output = this.#output.replace(told, '');
    if (code !== '0') throw new Error(`${command}\nended with ${code}:\n${output}`);
    return output;
  }

  async close() {
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    await ended;
  }
}
