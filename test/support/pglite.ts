/** What of PGlite's methods answers with values that its own realm has made. */
interface Asked {
  query(...words: unknown[]): Promise<unknown>;
  exec(...words: unknown[]): Promise<unknown>;
}

/** A PGlite, as far as it matters here. */
interface Pglite extends Asked {
  transaction(work: (transaction: Asked) => unknown): Promise<unknown>;
}

/** What support/environment.js shares with the files of a worker. */
interface Shared {
  readonly pglites: { lend(): Promise<Pglite>; giveBack(pglite: Pglite): Promise<void> };
}

/** A PGlite that is empty, and goes to the next one when it is given back. */
export interface LentPglite {
  readonly pglite: object;
  giveBack(): Promise<void>;
}

/** Borrows one of this worker's. */
export const lentPglite = async (): Promise<LentPglite> => {
  const { lend, giveBack } = (globalThis as unknown as Shared).pglites;
  const pglite = await lend();
  const transaction = pglite.transaction.bind(pglite);
  // The worker's pool takes these off again.
  Object.assign(pglite, asked(pglite), {
    transaction: (work: (transaction: Asked) => unknown) =>
      atHome(transaction((lent) => work(Object.assign(Object.create(lent) as Asked, asked(lent))))),
  });
  return { pglite, giveBack: () => giveBack(pglite) };
};

/** The methods of a PGlite, or of a transaction of it, with answers of this file's realm. */
const asked = (lent: Asked): Asked => {
  const query = lent.query.bind(lent);
  const exec = lent.exec.bind(lent);
  return {
    query: (...words) => atHome(query(...words)),
    exec: (...words) => atHome(exec(...words)),
  };
};

/**
 * Each file has objects, arrays and errors of its own, and the worker has, too: an error of the worker's is not an
 * `Error` here. Bytes and dates are the same everywhere.
 */
const atHome = async (answer: Promise<unknown>): Promise<unknown> => {
  try {
    return copyOf(await answer);
  } catch (error) {
    throw typeof error === 'object' && error !== null && !(error instanceof Error)
      ? Object.setPrototypeOf(error, Error.prototype)
      : error;
  }
};

const copyOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return Array.from(value, copyOf);
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value))
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]));
};
