import fc from 'fast-check';

/**
 * The seed of every random value of a run, an integer: `SEED`, or else the time. A property that fails tells it, and
 * `SEED=… npm test` repeats it. CI's seed is made of `libs` and `test`, so that the same code is always tried with the same values.
 */
export const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

fc.configureGlobal({ seed });

export { fc };
