import { writtenValue, type Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { SiblingContext, SiblingValidator } from '../model/validator.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import type { RecordInput } from './record.input.js';

/** A rule of one column about another of the same model. */
interface SiblingRule {
  readonly validator: SiblingValidator;
  readonly column: Column;
  readonly sibling: Column;
}

/** The values of a record in some columns, as clients read them. */
export type WrittenValues = ReadonlyMap<Column, unknown>;

/** The rules of a model's columns about each other. Made once per endpoint. */
export class SiblingRules {
  readonly #rules: readonly SiblingRule[];

  /** @throws ConfigurationError for a sibling that is unknown, or of a type that the rule is not for */
  constructor(
    owner: string,
    model: Model,
    private readonly names: NameTable,
  ) {
    this.#rules = [...model.columns.values()].flatMap((column) =>
      column.validators
        .filter((validator) => validator.needs === 'sibling')
        .map((validator) => ({ validator, column, sibling: siblingOf(owner, model, column, validator) })),
    );
  }

  /** The columns that rules compare. */
  get columns(): readonly Column[] {
    return [...new Set(this.#rules.flatMap(({ column, sibling }) => [column, sibling]))];
  }

  /** Gives what one rule has against two values that were given together; undefined where one of them was not. */
  complaint(validator: SiblingValidator, column: Column, input: RecordInput): string | undefined {
    const rule = this.#rules.find((one) => one.validator === validator && one.column === column);
    const values = rule === undefined ? [] : [rule.column, rule.sibling].map((one) => givenValue(input, one));
    const [value, sibling] = values;
    if (rule === undefined || isNothing(value) || isNothing(sibling)) return undefined;
    return validator.complaint(value, sibling, this.#context(column, rule.sibling));
  }

  /** True if some rule compares a value that was given with one that only the stored record has. */
  needsRecord(input: RecordInput): boolean {
    return this.#rules.some(({ column, sibling }) => input.values.has(column) !== input.values.has(sibling));
  }

  /** The rules that {@link needsRecord} is about. Each complains under the column whose value was given. */
  judgeWith(stored: WrittenValues, input: RecordInput): void {
    for (const { validator, column, sibling } of this.#rules) {
      const isOwn = input.values.has(column);
      if (isOwn === input.values.has(sibling)) continue;
      const [given, kept] = isOwn ? [column, sibling] : [sibling, column];
      const value = givenValue(input, given);
      const other = stored.get(kept);
      if (isNothing(value) || isNothing(other)) continue;
      const context = this.#context(given, kept);
      const complaint = isOwn
        ? validator.complaint(value, other, context)
        : validator.complaintAboutSibling(value, other, context);
      if (complaint !== undefined) input.complain(context.columnName, complaint);
    }
  }

  #context(column: Column, sibling: Column): SiblingContext {
    return {
      columnName: this.names.outward(column.name),
      type: column.type,
      siblingName: this.names.outward(sibling.name),
      siblingType: sibling.type,
    };
  }
}

/** A value that was given, as it will be read; nothing where none was, or where it is not of its type. */
function givenValue(input: RecordInput, column: Column): unknown {
  const value = input.values.get(column);
  if (isNothing(value) || column.type.complaint(value) !== undefined) return undefined;
  return writtenValue(column, value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function siblingOf(owner: string, model: Model, column: Column, validator: SiblingValidator): Column {
  const { siblingColumnName } = validator;
  const misfit = (other: Column): string | undefined =>
    other === column ? 'it is the column itself' : validator.misfit?.(column.type, other.type);
  const sibling = model.columns.get(siblingColumnName);
  const problem = sibling === undefined ? 'it is unknown' : misfit(sibling);
  if (sibling !== undefined && problem === undefined) return sibling;
  const allowed = [...model.columns.values()].filter((other) => misfit(other) === undefined);
  throw new ConfigurationError(
    owner,
    'validators',
    `'${siblingColumnName}' in ${validator.name} of '${column.name}': ${problem}; ${oneOf(allowed.map(({ name }) => name))}`,
  );
}
