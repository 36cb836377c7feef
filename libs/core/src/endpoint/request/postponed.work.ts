/** Work of an application's start that the process may do without. */
type StartWork = () => Promise<unknown>;

/** The work that waits; undefined where none has to. */
let waiting: StartWork[] | undefined;

/**
 * Tells that this process only reads documents of an application that it starts, as for the help of the command line.
 * @returns a function that does what was postponed: the process sends a request after all
 */
export function postponeStartWork(): () => Promise<void> {
  const works: StartWork[] = [];
  waiting = works;
  return async () => {
    waiting = undefined;
    for (const work of works.splice(0)) await work();
  };
}

/** True if work of the start may wait: nothing but documents is read. */
export function mayPostpone(): boolean {
  return waiting !== undefined;
}

/** Keeps work of the start for when a request is sent, if one ever is. */
export function postpone(work: StartWork): void {
  waiting?.push(work);
}

/** True once this process runs commands. */
let isCommand = false;

/** Tells that this process runs a command of an application that it starts, and ends after it. */
export function beginCommand(): void {
  isCommand = true;
}

/** True if this process ends after a command: work that is for whoever stays is not its. */
export function runsCommand(): boolean {
  return isCommand;
}
