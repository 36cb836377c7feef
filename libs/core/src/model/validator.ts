import type { JsonSchema } from './json.schema.js';

/** What a message may say about the column, under the names the client knows. */
export interface ComplaintContext {
  /** The column's name as the client sent it. */
  readonly columnName: string;
}

/** Questions about stored records that a {@link RecordValidator} may ask. */
export interface RecordQuestions {
  /** Whether another record than the one being written has this value in this column. */
  isTaken(value: unknown): Promise<boolean>;
  /** Whether the parent record with this key exists and may be seen by the writer. */
  parentExists(key: unknown): Promise<boolean>;
  /** {@link parentExists} for every key of a list, in one question. */
  allExist(keys: readonly unknown[]): Promise<boolean>;
}

/**
 * A rule about the values of one column, beyond their type. Three kinds, by what they need to know: emptiness,
 * the value, or stored records. A user adds one by extending the class of its kind.
 */
export type Validator = EmptinessValidator | ValueValidator | RecordValidator;

abstract class NamedValidator {
  /** The contract's name, e.g. `Required`. A later validator of the same name replaces an earlier one. */
  abstract readonly name: string;
  /** What the rule says in JSON Schema, merged into the column's. */
  readonly schema: JsonSchema = {};
}

/** Judges a missing, null, empty or blank value, before its type is looked at. */
export abstract class EmptinessValidator extends NamedValidator {
  /** When the rule is asked. */
  readonly needs = 'emptiness';
  /** Why the column must not be empty; undefined when it may. */
  abstract complaintAboutEmpty(context: ComplaintContext): string | undefined;
}

/** Judges a value of the column's type. Never called with null. */
export abstract class ValueValidator extends NamedValidator {
  /** When the rule is asked. */
  readonly needs = 'value';
  /** What is wrong with the value; undefined when nothing is. */
  abstract complaint(value: unknown, context: ComplaintContext): string | undefined;
}

/** Judges a value that nothing else complains about, with questions to the database. Never called with null. */
export abstract class RecordValidator extends NamedValidator {
  /** When the rule is asked. */
  readonly needs = 'records';
  /** What stored records say against the value; undefined when nothing does. */
  abstract complaint(
    value: unknown,
    records: RecordQuestions,
    context: ComplaintContext,
  ): Promise<string | undefined>;
}
