import type { Column } from '../../model/column.js';
import type { Condition } from '../../query/query.plan.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';
import type { Mark } from '../soft/mark.js';

/** A request as writes see it. */
export interface WriteRequest {
  readonly session: Session;
}

/** The input for a record. */
export interface WriteInput {
  /** JSON values that their columns accepted. */
  readonly values: ReadonlyMap<Column, unknown>;
  /** The complaints about it so far. */
  readonly complaints: ReadonlyMap<string, string>;
  /** Forgets the complaints behind the first ones: it is judged anew, for another record. */
  forget(first: number): void;
}

/** The versions that a client lets a write change. */
export interface ExpectedVersions {
  /** The versions as a condition of a statement; undefined where no record can be in one of them. */
  readonly condition: Condition | undefined;
  includes(version: string | undefined): boolean;
}

/** The record that a write is about. */
export interface WriteTarget {
  /** The value of the column by which records of the endpoint are looked up. */
  readonly value: unknown;
  /** Undefined when the client lets any version be changed. */
  readonly expected: ExpectedVersions | undefined;
}

/** The demands of a client on the record that an Upsert is about. */
export interface UpsertTarget {
  /** False where the client demands that there is one. */
  readonly mayCreate: boolean;
  /** False where the client demands that there is none. */
  readonly mayUpdate: boolean;
  /** Undefined when the client lets any version be changed. */
  readonly expected: ExpectedVersions | undefined;
}

/** The listeners to the events of writes, who may come and go. */
export interface WriteListeners {
  readonly isHeard: boolean;
  /** Tells if there can be any: nobody is looked for where there cannot. Left out where nobody knows. */
  readonly events?: { readonly canBeHeard: boolean };
}

/** The record as it is stored now, in the columns that the endpoint reads. */
export type StoredRow = Row;

/** Makes an answer of the record that was written. What it throws undoes the write where that can be. */
export type WriteAnswer<R, T> = (request: R, row: StoredRow) => T | Promise<T>;

/** Makes an answer of a record that was created or changed. */
export type UpsertAnswer<R, T> = (request: R, row: StoredRow, isNew: boolean) => T | Promise<T>;

/**
 * The writes of an endpoint. How they reach the database is chosen once, when the application starts: one statement, or
 * a unit of work. Refusals are thrown.
 */
export interface Writes<R extends WriteRequest, I extends WriteInput> {
  /** @throws InvalidInput with everything that is wrong with the input */
  create<T>(request: R, input: I, answer: WriteAnswer<R, T>): Promise<T>;
  /** @throws NotFound, PreconditionFailed, InvalidInput */
  update<T>(request: R, target: WriteTarget, input: I, answer: WriteAnswer<R, T>): Promise<T>;
  /**
   * Creates a record, or changes the one that has the same values in the columns of `ConflictUse`.
   * @throws PreconditionFailed, InvalidInput
   */
  upsert<T>(request: R, target: UpsertTarget, input: I, answer: UpsertAnswer<R, T>): Promise<T>;
  /**
   * @param mark of deleted records, where these stay; left out, the record is deleted for good
   * @throws NotFound, PreconditionFailed; Conflict where others still refer to it
   */
  delete(request: R, target: WriteTarget, mark?: Mark): Promise<void>;
  /** Takes the mark from a deleted record. @throws NotFound, PreconditionFailed, InvalidInput */
  restore<T>(request: R, target: WriteTarget, mark: Mark, answer: WriteAnswer<R, T>): Promise<T>;
}
