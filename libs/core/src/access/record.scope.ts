import type { RequestFacts } from '../model/request.facts.js';

/** A value that a request brings: a text, a number or a boolean, or a list of these. */
type ScopeValue = (request: RequestFacts) => unknown;

/** A condition of a {@link RecordScope}: a column of the entity's own table has the value, or one of the values. */
export interface ScopeCondition {
  /** The property of the entity. A relation's is its key. */
  readonly propertyName: string;
  /** Anything but a text, number or boolean, or a list of these, is a 403. */
  readonly value: ScopeValue;
  /** True if the value is text, as of a path, that the column's type reads. Default false. */
  readonly isText?: boolean;
  /**
   * True if it is about the records that a request asks for or writes, and not about those that they refer to, though these be
   * of the same entity. Default false.
   */
  readonly isOfSubject?: boolean;
}

/**
 * The records of an entity that there are for a request, as plain conditions that are known when the application starts:
 * a request only brings values. Statements have them as conditions of their own, whatever they do.
 */
export interface RecordScope {
  readonly conditions: readonly ScopeCondition[];
  /**
   * True if records stay within: new ones get the values, none may be moved out, and what a record refers to must be
   * within, too. Such a value is one, no list. Default false: the scope says what is seen.
   */
  readonly isSticky?: boolean;
  /**
   * The answer to a request without a value that fits: refused with a 403, Not Found, or a mistake of the configuration, which is a
   * 500. Default `notAuthorized`.
   */
  readonly otherwise?: 'notAuthorized' | 'notFound' | 'failure';
}
