import { setFlagsFromString } from 'node:v8';
import { beginCommand, postponeStartWork } from '@nest-endpoints/core/internal';
import { Application } from './application/application.js';
import type { CliSource } from './application/application.source.js';
import { StandardErrorLogger } from './application/standard-error.logger.js';
import type { CliOptions } from './cli.options.js';
import { readCommandLine, type CommandLine } from './command-line/command.line.js';
import { fileBody, FlowingBody, isJsonType } from './command-line/flowing.body.js';
import { readJson, type JsonText } from './command-line/json.text.js';
import { originOf, StandardInput } from './command-line/standard.input.js';
import { UsageError } from './command-line/usage.error.js';
import { readsDocuments } from './commands/reads.documents.js';
import { runCommand } from './commands/run.command.js';
import { startsServer } from './commands/starts.server.js';
import { methodOf } from './request/request.of.line.js';
import { Terminal } from './output/terminal.js';
import { StopSwitch } from './stop.switch.js';

/**
 * The time that an application may take to close, in milliseconds: the answer is out, and something of the user's may
 * hang.
 */
const patience = 5000;

/** The exit codes of decisions.md, Command line. */
const failed = 1;
const misused = 2;

/** One run of the program: its words, the streams it was given, and what ends it. */
export class CommandSession {
  readonly #stopSwitch = new StopSwitch();
  readonly #terminals = Terminal.take();
  #isVerbose = false;

  constructor(
    private readonly argv: readonly string[],
    private readonly options: CliOptions,
  ) {
    // A walk over many pages makes much garbage: collected often, it needs half the memory and no more time.
    setFlagsFromString('--optimize-for-size');
  }

  /** @returns the exit code */
  async run(load: () => Promise<CliSource>): Promise<number> {
    return this.#told(await this.#ended(load));
  }

  /** Prints a text that needs no application. @returns the exit code */
  async print(text: string): Promise<number> {
    await this.#terminals.output.write(text);
    return this.#told(0);
  }

  /** Tells where the answer could not be written. @returns the exit code */
  async #told(exitCode: number): Promise<number> {
    const { output, errors } = this.#terminals;
    if (output.failure === undefined) return exitCode;
    await errors.show(`Standard output cannot be written: ${output.failure.message}\n`);
    return exitCode === 0 ? failed : exitCode;
  }

  async #ended(load: () => Promise<CliSource>): Promise<number> {
    try {
      const line = readCommandLine(this.argv);
      this.#isVerbose = line.verbose;
      // That a request was given up is no news to whoever did it.
      if (!line.verbose) this.#stopSwitch.signal.addEventListener('abort', () => Terminal.silenceOthers());
      const [body, source] = await Promise.all([this.#bodyOf(line), load()]);
      // What can be found wrong without the application is found before it starts.
      methodOf(line, body);
      return await this.#answer(line, body, source);
    } catch (error) {
      return this.#exitCodeOf(error);
    }
  }

  async #answer(
    line: CommandLine,
    body: JsonText | FlowingBody | undefined,
    source: CliSource,
  ): Promise<number> {
    beginCommand();
    const finishStart = readsDocuments(line) ? postponeStartWork() : () => Promise.resolve();
    const application = await this.#started(source);
    try {
      const isSuccess = await runCommand({
        line,
        body,
        application,
        finishStart,
        name: this.options.name ?? 'nest-endpoints',
        signal: this.#stopSwitch.signal,
        endWithReader: () => {
          this.#endWithReader();
        },
        environment: process.env,
        ...this.#terminals,
      });
      return this.#stopSwitch.exitCode ?? (isSuccess ? 0 : failed);
    } catch (error) {
      return await this.#exitCodeOf(error);
    } finally {
      await closed(application);
    }
  }

  /** Ends the command with its reader: whoever reads no further has seen enough. */
  #endWithReader(): void {
    const { broken } = this.#terminals.output;
    const stop = (): void => this.#stopSwitch.stop(0);
    if (broken.aborted) stop();
    else broken.addEventListener('abort', stop, { once: true });
  }

  /** Stopped meanwhile, the process ends as it is: nothing was asked of the application. */
  async #started(source: CliSource): Promise<Application> {
    const { signal } = this.#stopSwitch;
    const leave = (): void => process.exit(this.#stopSwitch.exitCode);
    signal.addEventListener('abort', leave, { once: true });
    const logger = new StandardErrorLogger(this.#isVerbose);
    const application = await Application.start(source, this.options, { logger });
    signal.removeEventListener('abort', leave);
    return application;
  }

  async #bodyOf(line: CommandLine): Promise<JsonText | FlowingBody | undefined> {
    const { data, help } = line;
    if (help || startsServer(line)) return undefined;
    const contentType = saidType(line);
    if (data?.startsWith('@') === true) return await fileBody(data.slice(1), contentType);
    if (data === '-' && contentType !== undefined && !isJsonType(contentType))
      return new FlowingBody(process.stdin, contentType);
    const input = new StandardInput(process.stdin, originOf(process.stdin.fd), (text) => {
      process.stderr.write(text);
    });
    if (data === undefined || data === '-') {
      const text = await input.read(data === '-');
      if (text === undefined && data === '-') throw new UsageError('Standard input is empty.');
      return text === undefined ? undefined : readJson(text, 'Standard input');
    }
    const body = readJson(data, 'The value of -d');
    if (await input.hasBody())
      throw new UsageError('There are two bodies: one from -d, one from standard input.');
    return body;
  }

  async #exitCodeOf(error: unknown): Promise<number> {
    const { exitCode } = this.#stopSwitch;
    if (exitCode !== undefined) return exitCode;
    const { errors } = this.#terminals;
    const isUsage = error instanceof UsageError;
    const reason = error instanceof Error && (isUsage || !this.#isVerbose) ? error.message : error;
    await errors.show(`${typeof reason === 'string' ? reason : inspected(reason)}\n`);
    return isUsage ? misused : failed;
  }
}

/** The content type that the command says; undefined where it says none. */
function saidType({ headers }: CommandLine): string | undefined {
  return headers.flatMap((header) => /^\s*content-type\s*:\s*(.*)$/i.exec(header)?.[1] ?? [])[0];
}

function inspected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function closed(application: Application): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise((resolve) => (late = setTimeout(resolve, patience)));
  // The answer is out; what fails now is the application's own affair, and it has logged it.
  await Promise.race([application.close().catch(() => undefined), timeIsUp]);
  clearTimeout(late);
}
