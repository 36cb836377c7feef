import type { Application } from '../application/application.js';
import type { CommandLine } from '../command-line/command.line.js';
import type { FlowingBody } from '../command-line/flowing.body.js';
import type { JsonText } from '../command-line/json.text.js';
import type { Terminal } from '../output/terminal.js';

/** The objects that a command works with. */
export interface CommandContext {
  readonly line: CommandLine;
  /** From `-d` or standard input. */
  readonly body: JsonText | FlowingBody | undefined;
  readonly application: Application;
  /** Does what the start has left out for a process that only reads documents: before a request is sent. */
  readonly finishStart: () => Promise<void>;
  /** The name of the program in help texts. */
  readonly name: string;
  readonly output: Terminal;
  readonly errors: Terminal;
  /** Aborted when the command is to end before it is done. */
  readonly signal: AbortSignal;
  /**
   * Has the command end when nobody reads what it prints. Only what reads says so: anything else goes on to its end, unprinted, and
   * tells by its exit code what has become of it.
   */
  readonly endWithReader: () => void;
  readonly environment: NodeJS.ProcessEnv;
}
