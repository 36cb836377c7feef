import { Session } from 'node:inspector/promises';

/** Names of functions of the core, by the files that they are in. */
export type Functions = Readonly<Record<string, readonly string[]>>;

/** Counts calls of the core's functions, as V8 tells of them: nothing in the code knows that it is counted. */
export class Calls {
  private constructor(private readonly inspector: Session) {}

  /** Counts from now on. */
  static async begin(): Promise<Calls> {
    const inspector = new Session();
    inspector.connect();
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return new Calls(inspector);
  }

  /** How often functions of each group were called since this was last asked. */
  async since<Group extends string>(
    groups: Readonly<Record<Group, Functions>>,
  ): Promise<Record<Group, number>> {
    const { result } = await this.inspector.post('Profiler.takePreciseCoverage');
    const counts = Object.entries<Functions>(groups).map(([group, functions]) => {
      const calls = result.flatMap(({ url, functions: all }) => {
        const file = Object.keys(functions).find((path) => url.endsWith(`/libs/core/src/${path}`));
        const names = file === undefined ? [] : functions[file];
        return all.map(({ functionName, ranges: [range] }) =>
          names?.includes(functionName) === true ? (range?.count ?? 0) : 0,
        );
      });
      return [group, calls.reduce((sum, count) => sum + count, 0)] as const;
    });
    return Object.fromEntries(counts) as Record<Group, number>;
  }

  async end(): Promise<void> {
    await this.inspector.post('Profiler.stopPreciseCoverage');
    this.inspector.disconnect();
  }
}
