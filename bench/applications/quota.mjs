/** A quota that no load of the benchmark reaches, and its window in seconds. */
export const quota = 1_000_000;
export const window = 60;

/** As much as a process takes of it in advance. */
export const lease = 1000;
