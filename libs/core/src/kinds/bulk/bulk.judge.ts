import { refuseHiddenLists } from '../write/hidden.lists.js';
import { InputRules } from '../../request/input.rules.js';
import type { RecordInput } from '../../request/record.input.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { RecordStore } from '../../records/record.store.js';
import type { BulkRecord, BulkWriteJudge } from '../../records/writes/bulk/bulk.parts.js';
import type { PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { ValidationContext } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RequestContext } from '../../access/request.context.js';
import { messagesFrom, notTaken, type InputSource } from '../write/input.judge.js';
import { mostComplaints } from '../../wire/refusals.js';
import { Complaints } from './bulk.complaints.js';
import { StoredValues } from '../write/stored.values.js';

type Judged = BulkRecord<RecordInput>;

/**
 * Judges the input for many records in the order that Create and Update have, a step for all of them at once: validators
 * ask the database for all records with one question. Made once per endpoint.
 */
export class BulkJudge implements BulkWriteJudge<EndpointRequest, RecordInput> {
  readonly #rules: InputRules;
  readonly #store: RecordStore;
  readonly #stored: StoredValues;
  readonly #model: Model;
  readonly #custom: ((context: never) => unknown) | undefined;

  /**
   * @param partial whether a missing column is no complaint
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
    this.#model = model;
    this.#store = context.store(model);
    const { platform } = context.database.dialect;
    const { columns } = this.#rules.siblings;
    this.#stored = new StoredValues(this.#store, platform, columns, model.idPath);
    this.#custom = options.inputValidationCallable;
  }

  /** The columns that records get values in. */
  get columns(): readonly Column[] {
    return this.#rules.columns;
  }

  /** True if rules compare columns of a record with each other. */
  get comparesColumns(): boolean {
    return this.#rules.siblings.columns.length > 0;
  }

  /** Reads the members of a record, and judges what can be judged without the database. */
  read(members: ReadonlyMap<string, unknown>, facts: () => RequestContext): RecordInput {
    return this.#rules.read(members, { context: facts });
  }

  /** True if input has complaints that {@link judge} would add nothing to: then it needs neither database nor unit of work. */
  isRefused(inputs: readonly PlacedInput<RecordInput>[]): boolean {
    let complaints = 0;
    let hearsMore = false;
    for (const { input } of inputs) {
      complaints += input.complaints.size;
      hearsMore ||= (this.#custom !== undefined && input.typesPassed) || this.#rules.asks(input);
    }
    return complaints >= mostComplaints || (complaints > 0 && !hearsMore);
  }

  /** Judges by the database and the custom rules. @throws InvalidInput with everything that was said */
  async judge(request: EndpointRequest, records: readonly Judged[]): Promise<void> {
    await this.#compare(request, records);
    await this.#ask(request, records);
    if (this.#custom !== undefined) await this.#hear(request, records, this.#custom);
    refuseIfInvalid(records);
  }

  async confirm(request: EndpointRequest, records: readonly Judged[]): Promise<void> {
    const { session } = request;
    const isHidden = (column: Column): boolean => {
      const parent = this.#model.parentOf(column);
      return parent !== undefined && session.narrows(parent.meta);
    };
    await this.#ask(request, records, isHidden);
    refuseIfInvalid(records);
  }

  async askAgain(request: EndpointRequest, records: readonly Judged[]): Promise<void> {
    await this.#ask(request, records);
    refuseIfInvalid(records);
  }

  async blame(error: unknown, { session }: EndpointRequest, record: Judged): Promise<void> {
    const { input } = record;
    if (input === undefined) return;
    const found = await this.#store.refusalOf(error)?.complaintIn(session, input.values);
    if (found !== undefined) this.#rules.complainAbout(input, found.columns, found.complaint);
    refuseIfInvalid([record]);
  }

  /** Complains about values of some columns of a record. */
  complain(input: RecordInput, columns: readonly Column[], complaint: (name: string) => string): void {
    this.#rules.complainAbout(input, columns, complaint);
  }

  /** Rules that compare what was sent with what the stored record has. */
  async #compare({ session }: EndpointRequest, records: readonly Judged[]): Promise<void> {
    const { siblings } = this.#rules;
    const asking = records.filter(({ input }) => input !== undefined && siblings.needsRecord(input));
    const ids = asking.flatMap(({ subject }) => subject?.id ?? []);
    if (ids.length === 0) return;
    const stored = await this.#stored.ofAll(session, ids);
    for (const { input, subject } of asking) {
      const values = subject && stored(subject.id);
      if (input !== undefined && values !== undefined) siblings.judgeWith(values, input);
    }
  }

  #ask(
    { session }: EndpointRequest,
    records: readonly Judged[],
    isAsked?: (column: Column) => boolean,
  ): Promise<void> {
    return this.#rules.askAll((column) => {
      const questions = this.#store.gatheredQuestions(session, column);
      const isSettled = this.settled.includes(column);
      return records.flatMap(({ input, index, subject }) => {
        if (input === undefined) return [];
        const asked = questions.of(index, subject?.id);
        return [{ input, questions: isSettled ? { ...asked, isTaken: notTaken } : asked }];
      });
    }, isAsked);
  }

  async #hear(
    request: EndpointRequest,
    records: readonly Judged[],
    custom: (context: never) => unknown,
  ): Promise<void> {
    for (const { input, index, subject } of records) {
      if (input?.typesPassed !== true) continue;
      await request.session.enter();
      const context: ValidationContext = request.context({
        requestData: input.requestData(),
        record: subject?.record,
        index,
      });
      this.#rules.addMessages(input, messagesFrom(await custom(context as never)));
    }
  }
}

/** @throws InvalidInput with what was said of the records, each by its place */
export function refuseIfInvalid(
  records: readonly { readonly place: string; readonly input: RecordInput | undefined }[],
): void {
  const complaints = new Complaints();
  for (const record of records) complaints.of(record);
  complaints.refuse();
}
