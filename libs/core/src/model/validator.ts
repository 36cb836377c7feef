import { checkArguments } from '../options/checked.arguments.js';
import { name } from '../options/checks.js';
import type { ColumnType } from './column.type.js';
import type { JsonSchema } from './json.schema.js';

/** The facts that a rule may ask for about the column it judges. */
export interface ComplaintContext {
  /** The column's name as the client knows it. */
  readonly columnName: string;
  readonly type: ColumnType;
}

/** The facts that a {@link SiblingValidator} may ask for about the two columns it compares. */
export interface SiblingContext extends ComplaintContext {
  /** The other column's name as the client knows it. */
  readonly siblingName: string;
  readonly siblingType: ColumnType;
}

/** Questions about stored records that a {@link RecordValidator} may ask. */
export interface RecordQuestions {
  /** True if another record than the one being written has this value in this column. */
  isTaken(value: unknown): Promise<boolean>;
  /** True if the parent record with this key exists and the writer may see it. */
  parentExists(key: unknown): Promise<boolean>;
  /** {@link parentExists} for every key of a list, in one question. */
  allExist(keys: readonly unknown[]): Promise<boolean>;
}

/**
 * A rule about the values of one column, beyond their type. There are four kinds, by what they need: emptiness, the
 * value, the value of another column of the same record, or stored records. A user adds one by extending the class of its
 * kind.
 */
export type Validator = EmptinessValidator | ValueValidator | SiblingValidator | RecordValidator;

abstract class NamedValidator {
  /** The contract's name, e.g. `Required`. A later validator of the same name replaces an earlier one. */
  abstract readonly name: string;
  /** The rule in JSON Schema, merged into the column's schema. */
  readonly schema: JsonSchema = {};
}

/** Judges a missing, null, empty or blank value, before its type is looked at. */
export abstract class EmptinessValidator extends NamedValidator {
  /** The input that the rule needs: which columns are empty. */
  readonly needs = 'emptiness';
  /** Gives the reason why the column must not be empty; undefined when it may. */
  abstract complaintAboutEmpty(context: ComplaintContext): string | undefined;
}

/** Judges a value of the column's type. Never called with null. */
export abstract class ValueValidator extends NamedValidator {
  /** The input that the rule needs: a value. */
  readonly needs = 'value';
  /** Gives the reason why the rule makes no sense on columns of a type, which stops the start; undefined when it does. */
  misfit?(type: ColumnType): string | undefined;
  /** Gives what is wrong with the value; undefined when nothing is. */
  abstract complaint(value: unknown, context: ComplaintContext): string | undefined;
}

/**
 * Judges a value of the column's type beside that of another column of the same record, its sibling. Both are JSON
 * values as clients read them, neither is null. On Update, what was not sent is the stored record's.
 */
export abstract class SiblingValidator extends NamedValidator {
  /** The input that the rule needs: the values of two columns. */
  readonly needs = 'sibling';

  /** @param siblingColumnName the other column's internal name */
  constructor(readonly siblingColumnName: string) {
    super();
    checkArguments(new.target.name, { siblingColumnName: [siblingColumnName, name] });
  }

  /**
   * Gives the reason why the rule makes no sense on columns of these types, which stops the start; undefined when it
   * does.
   */
  misfit?(type: ColumnType, siblingType: ColumnType): string | undefined;
  /** Gives what is wrong with the value; undefined when nothing is. */
  abstract complaint(value: unknown, sibling: unknown, context: SiblingContext): string | undefined;
  /**
   * Judges by the rule from the sibling's side, because a client sent only the sibling. `value` is then the sibling's,
   * and `sibling` that of the column which has the rule; so are the names and types of the context.
   */
  abstract complaintAboutSibling(
    value: unknown,
    sibling: unknown,
    context: SiblingContext,
  ): string | undefined;
}

/** Judges a value that nothing else complains about, with questions to the database. Never called with null. */
export abstract class RecordValidator extends NamedValidator {
  /** The input that the rule needs: a value, and stored records. */
  readonly needs = 'records';
  /** Gives what stored records say against the value; undefined when nothing does. */
  abstract complaint(
    value: unknown,
    records: RecordQuestions,
    context: ComplaintContext,
  ): Promise<string | undefined>;
}
