import type { Session } from '../../visibility/session.js';

/** Has a row that is written told along with it. */
export interface RowTelling {
  /** True if a row stays as it is written: no trigger changes it afterwards. */
  isFinal(session: Session): boolean | Promise<boolean>;
  /** Asks for the next row of the entity that is written in the transaction, which its read-back then gives. */
  expect(session: Session): void;
}
