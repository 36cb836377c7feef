import { refuseHiddenLists } from './hidden.lists.js';
import { InputRules } from '../../request/input.rules.js';
import type { RecordInput } from '../../request/record.input.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { uniqueMessage } from '../../model/validators/unique.validator.js';
import type { RecordKey, RecordStore } from '../../records/record.store.js';
import type { Session } from '../../visibility/session.js';
import type { Subject, WriteJudge } from '../../records/writes/unit.parts.js';
import { StoredValues } from './stored.values.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { ValidationContext } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';

/** The options that say what a client may send. */
export interface InputSource {
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean | undefined;
  readonly inputValidationCallable?: ((context: never) => unknown) | undefined;
}

/** The answer about a column whose value is of the record that a write finds by it. */
export const notTaken = (): Promise<boolean> => Promise.resolve(false);

/** Judges the input of Create and Update in the order that decisions: Input says. Made once per endpoint. */
export class InputJudge implements WriteJudge<EndpointRequest, RecordInput> {
  /** Reads the body, and judges what can be judged without the database. */
  readonly read: (body: ReadonlyMap<string, unknown>, request: EndpointRequest) => RecordInput;
  readonly #rules: InputRules;
  readonly #store: RecordStore;
  readonly #stored: StoredValues;
  readonly #model: Model;
  readonly #custom: ((context: never) => unknown) | undefined;

  /**
   * @param partial whether a missing column is no complaint (Update)
   * @param settled the columns whose values may be another record's: the write finds that one by them
   */
  constructor(
    context: KindContext,
    model: Model,
    options: InputSource,
    partial: boolean,
    private readonly settled: readonly Column[] = [],
  ) {
    const { owner, names } = context;
    refuseHiddenLists(context, model, options.writeableColumnNames);
    this.#rules = new InputRules(owner, model, names, options, partial, context.ownColumns(model));
    this.read = this.#rules.read.bind(this.#rules);
    this.#model = model;
    this.#store = context.store(model);
    this.#stored = new StoredValues(
      this.#store,
      context.database.dialect.platform,
      this.#rules.siblings.columns,
      model.idPath,
    );
    this.#custom = options.inputValidationCallable;
  }

  /** The columns that a record gets values in. */
  get columns(): readonly Column[] {
    return this.#rules.columns;
  }

  /** True if rules compare columns of a record with each other. */
  get comparesColumns(): boolean {
    return this.#rules.siblings.columns.length > 0;
  }

  /** True if input has complaints that {@link judge} would add nothing to: then it needs neither database nor unit of work. */
  isRefused(input: RecordInput): boolean {
    const hearsCustom = this.#custom !== undefined && input.typesPassed;
    return input.complaints.size > 0 && !hearsCustom && !this.#rules.asks(input);
  }

  /** Judges by the database and the custom rules. @throws InvalidInput with everything that was said */
  async judge(request: EndpointRequest, input: RecordInput, subject?: Subject): Promise<void> {
    const { session } = request;
    await this.#compare(session, input, subject);
    await this.#ask(session, input, subject);
    if (this.#custom !== undefined && input.typesPassed) {
      await session.enter();
      const context: ValidationContext = request.context({
        requestData: input.requestData(),
        record: subject?.record,
      });
      this.#rules.addMessages(input, messagesFrom(await this.#custom(context as never)));
    }
    input.refuseIfInvalid();
  }

  /**
   * Asks once more for the parents that others may have taken out of sight since the questions: the record refers to them
   * by now, within the transaction.
   * @throws InvalidInput
   */
  async confirm({ session }: EndpointRequest, input: RecordInput, id: RecordKey): Promise<void> {
    const isHidden = (column: Column): boolean => {
      const parent = this.#model.parentOf(column);
      return parent !== undefined && session.narrows(parent.meta);
    };
    await this.#rules.ask(input, (column) => this.#store.questions(session, column, id), isHidden);
    input.refuseIfInvalid();
  }

  /**
   * Explains what the database refused although nothing was said against it before. Where another request may have been faster,
   * the questions are asked again; then the database's own reason is said of the column that it is about. The error
   * comes back when no column explains it.
   */
  async explain(
    error: unknown,
    { session }: EndpointRequest,
    input: RecordInput,
    subject?: Subject,
  ): Promise<unknown> {
    const refusal = this.#store.refusalOf(error);
    if (refusal === undefined) return error;
    if (refusal.mayBeExplained) await this.#ask(session, input, subject);
    input.refuseIfInvalid();
    const found = await refusal.complaintIn(session, input.values);
    if (found !== undefined) this.#rules.complainAbout(input, found.columns, found.complaint);
    input.refuseIfInvalid();
    return error;
  }

  /** Refuses values of some columns that another record has. @throws InvalidInput */
  refuseTaken(input: RecordInput, columns: readonly Column[]): void {
    this.#rules.complainAbout(input, columns, uniqueMessage);
    input.refuseIfInvalid();
  }

  /** Rules that compare what was sent with what the stored record has. */
  async #compare(session: Session, input: RecordInput, subject: Subject | undefined): Promise<void> {
    const { siblings } = this.#rules;
    if (subject === undefined || !siblings.needsRecord(input)) return;
    siblings.judgeWith(await this.#stored.of(session, subject.id), input);
  }

  async #ask(session: Session, input: RecordInput, subject: Subject | undefined): Promise<void> {
    await this.#rules.ask(input, (column) => {
      const questions = this.#store.questions(session, column, subject?.id);
      return this.settled.includes(column) ? { ...questions, isTaken: notTaken } : questions;
    });
  }
}

/** @throws TypeError when a custom rule gives anything else than messages by column name */
export function messagesFrom(messages: unknown): Readonly<Record<string, string>> {
  const isMap = typeof messages === 'object' && messages !== null && !Array.isArray(messages);
  const entries = isMap ? Object.entries(messages).filter(([, message]) => message !== undefined) : [];
  if (isMap && entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    return Object.fromEntries(entries);
  throw new TypeError('inputValidationCallable must give an object of messages by column name');
}
