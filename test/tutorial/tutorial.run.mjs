import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { bodyIn, judged, remembered } from '../docs/sample.requests.mjs';
import { freePort } from '../drills/support/free.port.mjs';
import { ServiceProcess } from './service.process.mjs';
import { Shell } from './shell.mjs';

/** How much of what the application has printed is shown with a problem, in characters. */
const kept = 4000;

/** Where the page says that the application listens. */
const shownAddress = 'http://127.0.0.1:3000';

/** Somebody who goes through the page: a terminal for commands, another one for the application. */
export class TutorialRun {
  #shell;
  #place;
  #env;
  #port;
  #startImage;
  #service;
  #lastOutput = '';

  /**
   * @param {string} place an empty directory
   * @param {NodeJS.ProcessEnv} env
   * @param {(port: number) => Promise<ServiceProcess>} startImage for `docker compose up`
   */
  static async begin(place, env, startImage) {
    const run = new TutorialRun();
    const work = join(place, 'work');
    await mkdir(work);
    run.#place = place;
    run.#port = await freePort();
    run.#env = { ...env, PORT: String(run.#port) };
    run.#startImage = startImage;
    run.#shell = new Shell(work, run.#env);
    const [head, body] = ['head', 'body'].map((name) => join(place, name));
    await run.#shell.run(`curl() { command curl -sS -D '${head}' -o '${body}' "$@"; }`);
    return run;
  }

  /** @param {import('./tutorial.page.mjs').Step & { line: number }} step */
  async take(step) {
    try {
      await this.#take(step);
    } catch (error) {
      const log = this.#service?.log ?? '';
      const end = stripVTControlCharacters(log).slice(-kept);
      throw new Error(`docs/tutorial.md:${step.line}: ${error.message}\n${end}`, { cause: error });
    }
  }

  async #take(step) {
    if (step.kind === 'file') {
      const path = join(await this.directory(), step.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, step.text);
    } else if (step.kind === 'output') await this.#seen(step.lines);
    else if (step.kind === 'request') await this.#ask(step);
    else if (step.command === 'npm start') await this.#start(() => this.#startHere());
    else if (/\bdocker compose up\b/.test(step.command))
      await this.#start(() => this.#startImage(this.#port));
    else this.#lastOutput = await this.#shell.run(step.command);
  }

  /** Where the shell is. */
  async directory() {
    return (await this.#shell.run('pwd')).trim();
  }

  /** @param {() => Promise<ServiceProcess>} begin */
  async #start(begin) {
    await this.#service?.stop();
    this.#service = await begin();
    await this.#service.listening(this.#port);
  }

  async #startHere() {
    return new ServiceProcess(['npm', 'start'], { cwd: await this.directory(), env: this.#env });
  }

  /** In what the last command has printed, or in what the application prints. */
  async #seen(lines) {
    for (const line of lines) {
      const words = line.trim().split(/\s+/).map(literally);
      const expected = new RegExp(words.join(String.raw`\s+`));
      if (!expected.test(this.#lastOutput)) await this.#service.printed(expected);
    }
  }

  async #ask({ command, answer }) {
    for (const name of ['head', 'body']) await rm(join(this.#place, name), { force: true });
    await this.#shell.run(command.replaceAll(shownAddress, `http://127.0.0.1:${this.#port}`));
    const head = await readFile(join(this.#place, 'head'), 'utf8');
    const actual = remembered(head, await bodyIn(this.#place), new Map());
    const problems = [...judged(actual, answer)];
    if (problems.length > 0) throw new Error(`${command}\n  ${problems.join('\n  ')}`);
  }

  async close() {
    await this.#service?.stop();
    await this.#shell.close();
  }
}

/** @param {string} text */
function literally(text) {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
