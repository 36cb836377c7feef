/** The facts that PostgreSQL and PGlite give about a statement that they refused. */
export interface DatabaseError extends Error {
  /** SQLSTATE, five characters. */
  readonly code: string;
  /** The place in the statement, in code points from 1. */
  readonly position?: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** True if the database refused. A lost connection and a defect of ours are something else. */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code)
  );
}

/** SQLSTATEs that are told apart. */
export const sqlStates = {
  insufficientPrivilege: '42501',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  unsafeNewEnumValue: '55P04',
} as const;
