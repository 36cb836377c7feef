import type { Session } from '../../../visibility/session.js';
import type { RecordKey } from '../../record.key.js';

/** A record, and one that a relation between many links it to, by their keys. */
export interface RecordLink {
  readonly owner: RecordKey;
  readonly member: RecordKey;
}

/**
 * Writes which records a relation between many links, in the table between them: within a transaction that has locked the
 * records, with one statement each.
 */
export interface LinkWriting {
  /** The names of properties without which a row of the table cannot be written, and that nothing gives a value. */
  readonly unfilled: readonly string[];
  /** The links of some owners to some members. */
  among(
    session: Session,
    owners: readonly RecordKey[],
    members: readonly RecordKey[],
  ): Promise<readonly RecordLink[]>;
  /** The links of some owners, whatever they lead to. @param limit the most that are read */
  ofAll(session: Session, owners: readonly RecordKey[], limit: number): Promise<readonly RecordLink[]>;
  /** Adds links that are not there. */
  add(session: Session, links: readonly RecordLink[]): Promise<void>;
  remove(session: Session, links: readonly RecordLink[]): Promise<void>;
  /** Removes all links of some members, whatever owners they have. */
  removeAllOf(session: Session, members: readonly RecordKey[]): Promise<void>;
}
