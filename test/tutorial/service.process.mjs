import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** In milliseconds: compiling, a first start and an end take their time on a busy machine. */
const patience = 180_000;

/** How often is looked whether something has come true, in milliseconds. */
const pause = 50;

/** An application in the foreground of a terminal: what is typed, and Ctrl-C. It is a group of processes. */
export class ServiceProcess {
  #child;
  #log = '';

  /**
   * @param {string[]} command
   * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
   */
  constructor([program, ...words], options) {
    this.#child = spawn(program, words, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.#log += text));
  }

  /** What it has printed so far. */
  get log() {
    return this.#log;
  }

  /** Waits until it takes connections. @param {number} port */
  async listening(port) {
    await this.#until(async () => {
      if (this.#child.exitCode !== null) throw new Error('The application has ended');
      return accepts(port);
    }, 'does not listen');
  }

  /** Waits until it has printed something. @param {RegExp} expected */
  async printed(expected) {
    await this.#until(() => expected.test(this.#log), `has not printed ${expected}`);
  }

  /** Ctrl-C, and the end of all of its processes. */
  async stop() {
    this.#signal('SIGINT');
    try {
      await this.#until(() => !this.#signal(0), 'does not end');
    } finally {
      this.#signal('SIGKILL');
    }
  }

  /** @returns whether there is a process of the group */
  #signal(signal) {
    try {
      return process.kill(-this.#child.pid, signal);
    } catch (error) {
      if (error.code === 'ESRCH') return false;
      throw error;
    }
  }

  async #until(isSo, complaint) {
    const end = performance.now() + patience;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`The application ${complaint}`);
      await wait(pause);
    }
  }
}

/** @param {number} port */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
