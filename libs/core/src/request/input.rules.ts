import { typeComplaint, type Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { RequestFacts } from '../model/request.facts.js';
import type { ComplaintContext, RecordQuestions } from '../model/validator.js';
import { requiredMessage } from '../model/validators/required.validator.js';
import type { NameTable } from '../wire/name.table.js';
import { NotAuthorized } from '../wire/refusals.js';
import { judgedColumns, type JudgedColumn, type OwnColumn } from './judged.columns.js';
import { RecordInput } from './record.input.js';
import { SiblingRules } from './sibling.rules.js';

/** The complaint about a value of a column that has the request's own, where it is another's. */
const notOwnMessage = 'must be your own';

export interface InputOptions {
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean | undefined;
}

/** The input for a record, and whom its validators ask. */
interface AskedInput {
  readonly input: RecordInput;
  readonly questions: RecordQuestions;
}

/** A request whose body is judged. */
interface JudgedRequest {
  /** The facts about it that columns take their values from; asked for only where one does. */
  context(): RequestFacts;
}

/** The most unknown columns that are named: nobody reads more, and an answer would be longer than its request. */
const mostUnknown = 100;

/** Judges what a record is to be made of, by the rules of the model's columns. Made once per endpoint. */
export class InputRules {
  /** Rules of columns about each other. */
  readonly siblings: SiblingRules;
  /** The columns by the names that clients know. */
  readonly #columns: ReadonlyMap<string, JudgedColumn>;
  /** The columns with validators that judge a value by itself, or beside others of the input. */
  readonly #judging: readonly (readonly [name: string, column: Column])[];
  /** The columns with validators that ask for stored records. */
  readonly #asking: readonly (readonly [name: string, column: Column])[];
  readonly #forcesText: boolean;

  /**
   * @param partial whether the record is there already (Update): a missing column is no complaint, and of what the request
   * says only that is set which tells of changes
   */
  constructor(
    owner: string,
    model: Model,
    private readonly names: NameTable,
    options: InputOptions,
    private readonly partial: boolean,
    owned: readonly OwnColumn[] = [],
  ) {
    const judged = judgedColumns(owner, model, options.writeableColumnNames, owned, partial);
    this.#columns = names.index(owner, 'writeableColumnNames', judged);
    const all = [...this.#columns].map(([name, { column }]) => [name, column] as const);
    this.#judging = all.filter(([, { validators }]) =>
      validators.some(({ needs }) => needs === 'value' || needs === 'sibling'),
    );
    this.#asking = all.filter(([, { validators }]) => validators.some(({ needs }) => needs === 'records'));
    this.#forcesText = options.transformInputTypes ?? false;
    this.siblings = new SiblingRules(owner, model, names);
  }

  /** The columns that a record gets values in. */
  get columns(): Column[] {
    return [...this.#columns.values()].map(({ column }) => column);
  }

  /** Reads the input, and judges what needs no database: names, forced types, emptiness, types, validators. */
  read(body: ReadonlyMap<string, unknown>, request: JudgedRequest): RecordInput {
    const input = new RecordInput();
    for (const name of body.keys()) {
      if (this.#columns.get(name)?.isSetByService === false) continue;
      input.complain(name, `Input column ${name} is not an allowed input column.`);
      if (input.complaints.size === mostUnknown) break;
    }
    for (const [name, { column, isSetByService, own }] of this.#columns)
      if (own !== undefined) this.#own(input, { name, column, isSetByService, own }, body, request.context());
      else if (isSetByService) this.#set(input, name, column, request.context());
      else if (body.has(name))
        this.#take(input, name, column, this.#forcesText ? forced(column, body.get(name)) : body.get(name));
      else if (!this.partial) this.#complainAboutEmpty(input, name, column, undefined);
    for (const [name, column] of this.#judging) {
      if (!isOpen(input, name, column)) continue;
      const complaint = this.#complaintAboutValue(input, name, column, input.values.get(column));
      if (complaint !== undefined) input.complain(name, complaint);
    }
    return input;
  }

  /** True if {@link ask} has something to ask. */
  asks(input: RecordInput): boolean {
    return this.#asking.some(([name, column]) => isOpen(input, name, column));
  }

  /**
   * Validators that ask for stored records, for the columns nothing was said about yet: all at the same time, so that one message
   * may carry what they ask.
   * @param isAsked whether a column is; default all
   */
  async ask(
    input: RecordInput,
    questionsOf: (column: Column) => RecordQuestions,
    isAsked: (column: Column) => boolean = () => true,
  ): Promise<void> {
    const asked = this.#asking.filter(([name, column]) => isAsked(column) && isOpen(input, name, column));
    const found = await Promise.all(
      asked.map(([name, column]) =>
        this.#complaintsOf({ input, questions: questionsOf(column) }, name, column),
      ),
    );
    for (const [index, complaints] of found.entries())
      for (const complaint of complaints) input.complain(asked[index]?.[0] ?? '', complaint);
  }

  /** {@link ask} for many records: the validators of a column ask for all of them at the same time. */
  async askAll(
    askedOf: (column: Column) => readonly AskedInput[],
    isAsked: (column: Column) => boolean = () => true,
  ): Promise<void> {
    for (const [name, column] of this.#asking) {
      if (!isAsked(column)) continue;
      const asked = askedOf(column).filter(({ input }) => isOpen(input, name, column));
      await Promise.all(asked.map((one) => this.#askOf(one, name, column)));
    }
  }

  /** Messages under internal names, as custom rules give them; a column's own message stays. */
  addMessages(input: RecordInput, messages: Readonly<Record<string, string>>): void {
    for (const [name, message] of Object.entries(messages)) input.complain(this.names.outward(name), message);
  }

  /** The database's complaint about some columns: under the first that was sent, or else set, or else could be sent. */
  complainAbout(input: RecordInput, columns: readonly Column[], complaint: (name: string) => string): void {
    const known = columns.filter(({ name }) => !this.#isBrought(input, this.names.outward(name)));
    const sent = known.find((column) => input.hasSent(column));
    const set = sent ?? known.find((column) => input.values.has(column));
    const blamed = set ?? known.find((column) => this.columns.includes(column));
    if (blamed === undefined) return;
    const name = this.names.outward(blamed.name);
    input.complain(name, complaint(name));
  }

  async #askOf(asked: AskedInput, name: string, column: Column): Promise<void> {
    for (const complaint of await this.#complaintsOf(asked, name, column))
      asked.input.complain(name, complaint);
  }

  async #complaintsOf(
    { input, questions }: AskedInput,
    name: string,
    column: Column,
  ): Promise<readonly string[]> {
    const value = input.values.get(column);
    const complaints: string[] = [];
    for (const validator of column.validators) {
      if (validator.needs !== 'records') continue;
      const complaint = await validator.complaint(value, questions, contextOf(name, column));
      if (complaint === undefined) continue;
      // No client can mend what it did not send.
      if (this.#isBrought(input, name))
        throw new NotAuthorized({ cause: new Error(`${name}: ${complaint}`) });
      complaints.push(complaint);
    }
    return complaints;
  }

  /** True if a column has the value that the request brings with it, and not its body. */
  #isBrought(input: RecordInput, name: string): boolean {
    const { own, column } = this.#columns.get(name) ?? {};
    return own !== undefined && column !== undefined && !input.hasSent(column);
  }

  /** Has a client say what is its own, and nothing else; what it does not say of a new record is said for it. */
  #own(
    input: RecordInput,
    { name, column, own }: JudgedColumn,
    body: ReadonlyMap<string, unknown>,
    request: RequestFacts,
  ): void {
    const value = own?.(request);
    const sent: unknown = body.get(name);
    if (body.has(name) && !isSame(column, this.#forcesText ? forced(column, sent) : sent, value)) {
      input.complain(name, notOwnMessage);
      return;
    }
    if (!body.has(name) && this.partial) return;
    if (!body.has(name)) input.setByService.add(column);
    input.values.set(column, value);
  }

  /** Sets a column to what the request says, or null, which is then judged as if a client had sent it. */
  #set(input: RecordInput, name: string, column: Column, request: RequestFacts): void {
    input.setByService.add(column);
    this.#take(input, name, column, column.type.fromRequest?.(request) ?? null);
  }

  /** Takes a value, unless it is empty where it must not be; complains when it is not of the column's type. */
  #take(input: RecordInput, name: string, column: Column, value: unknown): void {
    if (isEmpty(value) && this.#complainAboutEmpty(input, name, column, value)) return;
    input.values.set(column, value);
    const mistyped = value === null ? undefined : typeComplaint(column, value);
    if (mistyped === undefined) return;
    input.typesPassed = false;
    input.complain(name, mistyped);
  }

  #complainAboutEmpty(input: RecordInput, name: string, column: Column, value: unknown): boolean {
    const complaint = complaintAboutEmpty(column, name, value);
    if (complaint !== undefined) input.complain(name, complaint);
    return complaint !== undefined;
  }

  #complaintAboutValue(input: RecordInput, name: string, column: Column, value: unknown): string | undefined {
    for (const validator of column.validators) {
      let complaint: string | undefined;
      if (validator.needs === 'value') complaint = validator.complaint(value, contextOf(name, column));
      if (validator.needs === 'sibling') complaint = this.siblings.complaint(validator, column, input);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }
}

/** True if a column has a value that nothing was said about yet. */
function isOpen(input: RecordInput, name: string, column: Column): boolean {
  const value = input.values.get(column);
  return value !== undefined && value !== null && !input.complaints.has(name);
}

/** A text as its column reads it. */
function forced({ type }: Column, sent: unknown): unknown {
  return typeof sent === 'string' && type.forcesText ? type.fromText(sent) : sent;
}

function contextOf(columnName: string, { type }: Column): ComplaintContext {
  return { columnName, type };
}

function complaintAboutEmpty(column: Column, columnName: string, value: unknown): string | undefined {
  const context = contextOf(columnName, column);
  for (const validator of column.validators) {
    const complaint = validator.needs === 'emptiness' ? validator.complaintAboutEmpty(context) : undefined;
    if (complaint !== undefined) return complaint;
  }
  return value === null && !column.nullable ? requiredMessage(columnName) : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** True if a value that was sent is another one, however it is spelled. */
export function isSame(column: Column, sent: unknown, value: unknown): boolean {
  if (sent === null || typeComplaint(column, sent) !== undefined) return false;
  return (
    column.type.keyText(column.type.toDatabase(sent)) === column.type.keyText(column.type.toDatabase(value))
  );
}
