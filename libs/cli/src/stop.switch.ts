/** The end of a command before it is done. Only its exit code is left to tell. */
class Stop extends Error {
  override readonly name = 'Stop';

  constructor(readonly exitCode: number) {
    super('the command was stopped');
  }
}

/** The exit codes: by convention 128 and the number of the signal. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Ends a command when somebody asks for it: a signal, or a reader who has gone while it only reads. A second signal ends the process at once. */
export class StopSwitch {
  readonly #controller = new AbortController();

  constructor() {
    for (const [name, exitCode] of Object.entries(exitCodes))
      process.on(name, () => {
        if (this.signal.aborted) process.exit(exitCode);
        this.stop(exitCode);
      });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code of a command that was stopped; undefined while it was not. */
  get exitCode(): number | undefined {
    const reason: unknown = this.signal.reason;
    return reason instanceof Stop ? reason.exitCode : undefined;
  }

  stop(exitCode: number): void {
    this.#controller.abort(new Stop(exitCode));
  }
}
