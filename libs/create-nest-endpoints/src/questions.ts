import type { Interface } from 'node:readline';
import { Refusal } from './refusal.js';

/** Questions at a terminal. An answer may be typed, or pasted, before its question is there. */
export class Questions {
  readonly #terminal: Interface;
  readonly #lines: AsyncIterator<string>;

  constructor(terminal: Interface) {
    this.#terminal = terminal;
    this.#lines = terminal[Symbol.asyncIterator]();
    // Without a listener Ctrl-C would only end the input.
    terminal.once('SIGINT', () => process.exit(130));
  }

  /** Gives the line that is typed, without white space around it. @throws Refusal where the input ends */
  async ask(question: string): Promise<string> {
    this.#terminal.setPrompt(question);
    this.#terminal.prompt();
    const line = await this.#lines.next();
    if (line.done === true) throw new Refusal('The input has ended. Nothing was made.', 1);
    return line.value.trim();
  }

  /** Asks again until the answer is yes or no. Enter is yes. */
  async askWhether(question: string): Promise<boolean> {
    for (;;) {
      const answer = (await this.ask(`${question} (Y/n): `)).toLowerCase();
      if (['', 'y', 'yes'].includes(answer)) return true;
      if (['n', 'no'].includes(answer)) return false;
    }
  }

  close(): void {
    this.#terminal.close();
  }
}
