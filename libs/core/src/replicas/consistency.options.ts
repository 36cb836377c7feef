/** Options of `readYourWrites`: how long clients read what they wrote from the primary. */
export interface ReadYourWritesOptions {
  /**
   * The time after a write in which its client reads from the primary, in seconds from 1. It counts where nobody knows if
   * the write has arrived: on databases that do not tell, and for clients that are known by their subject alone. Default
   * 10.
   */
  readonly seconds?: number;
}

/** The consistency that clients are promised, see `EndpointsModule.forRoot`. */
export interface ConsistencyOptions {
  /**
   * True to have clients read what they have written, although reads go to replicas: from the primary, until a replica
   * has it. An answer to a write says in `X-Consistency` what to send back with later requests. Clients that send nothing
   * are known by the `iss` and `sub` of their authorization data. Default: true where MikroORM has `replicas`.
   */
  readonly readYourWrites?: boolean | ReadYourWritesOptions;
}

const usual = 10;

/** The largest number of seconds, a day: who has not seen a write by then will not. */
export const mostSeconds = 86_400;

/** @returns the milliseconds of `seconds`; undefined where nothing is promised */
export function promisedTime(
  { readYourWrites }: ConsistencyOptions,
  hasReplicas: boolean,
): number | undefined {
  if (readYourWrites === false || (readYourWrites === undefined && !hasReplicas)) return undefined;
  const seconds = typeof readYourWrites === 'object' ? (readYourWrites.seconds ?? usual) : usual;
  return seconds * 1000;
}
