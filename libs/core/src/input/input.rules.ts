import { typeComplaint, type Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { RecordQuestions } from '../model/validator.js';
import { requiredMessage } from '../model/validators/required.validator.js';
import { known } from '../query/selection.js';
import { uniqueMessage } from '../model/validators/unique.validator.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import { RecordInput } from './record.input.js';

export interface InputOptions {
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean | undefined;
}

interface WriteableColumn {
  readonly name: string;
  readonly column: Column;
}

/** Judges what a client sends for a record, by the rules of the model's columns. Made once per endpoint. */
export class InputRules {
  readonly #columns: ReadonlyMap<string, WriteableColumn>;
  readonly #forcesText: boolean;

  /** @param partial whether a missing column is no complaint (Update) */
  constructor(
    owner: string,
    model: Model,
    private readonly names: NameTable,
    options: InputOptions,
    private readonly partial: boolean,
  ) {
    const columns = options.writeableColumnNames.map((name) => writeable(owner, model, name));
    this.#columns = names.index(owner, 'writeableColumnNames', columns);
    this.#forcesText = options.transformInputTypes ?? false;
  }

  /** Everything that needs no database: names, forced types, emptiness, types, validators. */
  read(body: ReadonlyMap<string, unknown>): RecordInput {
    const input = new RecordInput();
    for (const name of body.keys())
      if (!this.#columns.has(name))
        input.complain(name, `Input column ${name} is not an allowed input column.`);
    for (const [name, { column }] of this.#columns) {
      if (body.has(name)) this.#judge(input, name, column, body.get(name));
      else if (!this.partial) {
        const complaint = complaintAboutEmpty(column, name, undefined);
        if (complaint !== undefined) input.complain(name, complaint);
      }
    }
    return input;
  }

  /** Validators that ask for stored records, for the columns nothing was said about yet. */
  async ask(input: RecordInput, questionsOf: (column: Column) => RecordQuestions): Promise<void> {
    for (const [name, { column }] of this.#columns) {
      const value = input.values.get(column);
      if (value === undefined || value === null || input.complaints.has(name)) continue;
      for (const validator of column.validators) {
        if (validator.needs !== 'records') continue;
        const complaint = await validator.complaint(value, questionsOf(column), { columnName: name });
        if (complaint !== undefined) input.complain(name, complaint);
      }
    }
  }

  /** Messages under internal names, as custom rules give them; a column's own message stays. */
  addMessages(input: RecordInput, messages: Readonly<Record<string, string>>): void {
    for (const [name, message] of Object.entries(messages)) input.complain(this.names.outward(name), message);
  }

  /** The complaint of a unique constraint over several columns: under the first of them that was sent. */
  complainAboutUnique(input: RecordInput, columns: readonly Column[]): void {
    const sent = columns.find((column) => input.values.has(column));
    if (sent === undefined) return;
    const name = this.names.outward(sent.name);
    input.complain(name, uniqueMessage(name));
  }

  #judge(input: RecordInput, name: string, column: Column, sent: unknown): void {
    const { type } = column;
    const value =
      this.#forcesText && typeof sent === 'string' && type.forcesText ? type.fromText(sent) : sent;
    const emptiness = isEmpty(value) ? complaintAboutEmpty(column, name, value) : undefined;
    if (emptiness !== undefined) {
      input.complain(name, emptiness);
      return;
    }
    input.values.set(column, value);
    if (value === null) return;
    const mistyped = typeComplaint(column, value);
    if (mistyped !== undefined) input.typesPassed = false;
    const complaint = mistyped ?? complaintAboutValue(column, name, value);
    if (complaint !== undefined) input.complain(name, complaint);
  }
}

function complaintAboutEmpty(
  { validators, nullable }: Column,
  columnName: string,
  value: unknown,
): string | undefined {
  for (const validator of validators) {
    const complaint =
      validator.needs === 'emptiness' ? validator.complaintAboutEmpty({ columnName }) : undefined;
    if (complaint !== undefined) return complaint;
  }
  return value === null && !nullable ? requiredMessage(columnName) : undefined;
}

function complaintAboutValue({ validators }: Column, columnName: string, value: unknown): string | undefined {
  for (const validator of validators) {
    const complaint = validator.needs === 'value' ? validator.complaint(value, { columnName }) : undefined;
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function writeable(owner: string, model: Model, name: string): WriteableColumn {
  const column = model.columns.get(name);
  const refuse = (problem: string): never => {
    throw new ConfigurationError(owner, 'writeableColumnNames', problem);
  };
  if (column === undefined) {
    const allowed = [...model.columns.values()].filter(
      ({ readOnlyBecause }) => readOnlyBecause === undefined,
    );
    return refuse(`unknown column '${name}'; ${oneOf(allowed.map((one) => one.name))}`);
  }
  if (column.readOnlyBecause !== undefined)
    return refuse(`'${name}' cannot be written: ${column.readOnlyBecause}`);
  known(owner, model, name, 'writeableColumnNames');
  return { name, column };
}
