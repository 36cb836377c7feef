import { InvalidInput, NotAuthorized, ServiceUnavailable } from '../../../wire/refusals.js';
import type { ColumnValues, RecordKey } from '../../record.store.js';
import type { Session } from '../../../visibility/session.js';
import { alikeKey, keyTexts } from '../upsert/key.texts.js';
import { isOfValues, OthersWereFaster } from '../upsert/unit.upsert.js';
import type { Subject } from '../unit.parts.js';
import type { WriteInput, WriteRequest } from '../writes.js';
import type { WrittenCounts } from './bulk.writes.js';
import { withKeys, type BulkParts, type BulkRecord, type BulkUpsertParts } from './bulk.parts.js';

/** The number of times that records are looked for again which were not there, and then were. */
const retries = 3;

const hiddenByPolicies = 'policies of the database hide a record that has one of these keys';

/** Records that were created or changed. */
export interface UpsertedKeys {
  /** The keys in the order of the inputs. */
  readonly keys: readonly RecordKey[];
  readonly counts: WrittenCounts;
}

/** A record of the request with the values by which it is found. */
interface Known<I> {
  readonly record: BulkRecord<I> & { readonly input: I };
  readonly key: ColumnValues;
}

/**
 * Creates many records, or changes those that are there, through MikroORM. Which of the two it is, is decided with the records
 * locked. Who finds none creates it: where the database says that somebody was faster, all of them are looked for again.
 */
export class BulkUnitUpsert<R extends WriteRequest, I extends WriteInput> {
  constructor(
    private readonly parts: BulkParts<R, I>,
    private readonly upsert: BulkUpsertParts<R, I>,
  ) {}

  /**
   * Within a transaction.
   * @param begun is told of the records as they are about to be written
   * @throws InvalidInput, ServiceUnavailable
   */
  async write(
    request: R,
    records: readonly BulkRecord<I>[],
    begun: (records: readonly BulkRecord<I>[]) => void,
  ): Promise<UpsertedKeys> {
    const { store, writing } = this.parts;
    const { index } = this.upsert;
    const { session } = request;
    const known = records.flatMap((record) => this.#known(record));
    if (known.length < records.length) return this.#refuse(request, records, known);
    const reason = await index.reasonAgainst(session);
    if (reason !== undefined) throw new Error(`An upsert cannot be sure of its records: ${reason}`);
    const said = new Map(records.map(({ input }) => [input, input?.complaints.size ?? 0]));
    let refused: unknown;
    for (let times = 0; times <= retries; times += 1) {
      let found = await this.#found(request, known);
      // A part of a request cannot try it first.
      if (times > 0 || session.isPart) found = await this.#foundForSure(request, known, found);
      begun(found.filter((record) => this.#isWritten(record)));
      try {
        return await store.transaction(session, () => this.#save(request, found));
      } catch (error) {
        const lost = lostOf(known, found);
        const isTaken = await index.isViolatedBy(session, error);
        // Another unique value may be that of a record which was created meanwhile, and is one of these.
        writing.forget(session);
        if (!isTaken && !(isOfValues(error) && (await this.#areThere(request, lost, error)))) throw error;
        if (isTaken) await this.#refuseAlike(session, lost);
        for (const [input, first] of said) input?.forget(first);
        if (session.isPart) throw new OthersWereFaster(error);
        refused = error;
      }
    }
    // Policies of the database hide them even from the question. What the database said is about a unique value.
    if (session.hasPolicies) throw new NotAuthorized({ cause: new Error(hiddenByPolicies) });
    throw new ServiceUnavailable({ cause: refused });
  }

  #known(record: BulkRecord<I>): readonly Known<I>[] {
    const { input } = record;
    const key = input && this.upsert.keyOf(input);
    return input === undefined || key === undefined ? [] : [{ record: { ...record, input }, key }];
  }

  /** The records, those with a subject that are there. @throws InvalidInput where two of the request are one */
  async #found(request: R, known: readonly Known<I>[]): Promise<readonly BulkRecord<I>[]> {
    const { writing } = this.parts;
    const stored = await this.upsert.find(
      request,
      known.map(({ key }) => key),
    );
    const named = new Map<object, BulkRecord<I>>();
    return known.map(({ record }, place) => {
      const one = stored[place];
      if (one === undefined) return record;
      const earlier = named.get(one);
      if (earlier !== undefined) this.upsert.refuseRepeated(record, earlier);
      named.set(one, record);
      const subject: Subject = { id: writing.idOf(one), record: one };
      return { ...record, subject };
    });
  }

  /** Looks for records again that are there and were not found. @throws InvalidInput for those that are not to be seen */
  async #foundForSure(
    request: R,
    known: readonly Known<I>[],
    found: readonly BulkRecord<I>[],
  ): Promise<readonly BulkRecord<I>[]> {
    const lost = lostOf(known, found);
    if (lost.length === 0) return found;
    const keys = lost.map(({ key }) => key);
    const areTaken = await this.upsert.index.areTaken(request.session, keys);
    const taken = new Set(lost.filter((_, index) => areTaken[index] === true));
    if (taken.size === 0) return found;
    // They may have been created between the two questions.
    const again = await this.#found(request, known);
    const hidden = lostOf(known, again).filter((one) => taken.has(one));
    if (hidden.length > 0) this.upsert.refuseTaken(hidden.map(({ record }) => record));
    return again;
  }

  /** True if one of those that were not found is there by now. What else is wrong is told whether a key is a hidden one or none. */
  async #areThere(request: R, lost: readonly Known<I>[], error: unknown): Promise<boolean> {
    const { session } = request;
    if (!(error instanceof InvalidInput) || session.isPart) return this.#areTaken(session, lost);
    const found = await this.upsert.find(
      request,
      lost.map(({ key }) => key),
    );
    return found.some((record) => record !== undefined);
  }

  async #areTaken(session: Session, lost: readonly Known<I>[]): Promise<boolean> {
    const keys = lost.map(({ key }) => key);
    return keys.length > 0 && (await this.upsert.index.areTaken(session, keys)).includes(true);
  }

  /**
   * Looks for two of the request that a collation takes for one: where nobody has a key by now of which the database said that
   * it is taken, the request has it twice.
   *
   * @throws InvalidInput
   */
  async #refuseAlike(session: Session, lost: readonly Known<I>[]): Promise<void> {
    if (lost.length < 2 || (await this.#areTaken(session, lost))) return;
    const seen = new Map<string, BulkRecord<I>>();
    for (const { record, key } of lost) {
      const text = alikeKey(keyTexts(key));
      const earlier = seen.get(text);
      if (earlier !== undefined) this.upsert.refuseRepeated(record, earlier);
      seen.set(text, record);
    }
  }

  async #save(request: R, records: readonly BulkRecord<I>[]): Promise<UpsertedKeys> {
    const { judge, steps } = this.parts;
    const written = records.filter((record) => this.#isWritten(record));
    // What is wrong with a record is told even where it is left as it is.
    const isJudged = (record: BulkRecord<I>): boolean =>
      this.#isWritten(record) || (record.input?.complaints.size ?? 0) > 0;
    await judge.judge(request, records.filter(isJudged));
    const saved = await steps.saveAll(
      request,
      written.map((record) => this.#changing(record)),
    );
    const { keys } = saved;
    await judge.confirm(request, withKeys(written, keys));
    const own = new Map(written.map((record, index) => [record, keys[index]]));
    const created = records.filter(({ subject }) => subject === undefined).length;
    const changed = written.filter(({ subject }, index) => subject !== undefined && saved.isChanged(index));
    return {
      keys: records.flatMap((record) => own.get(record) ?? record.subject?.id ?? []),
      counts: { created, updated: changed.length },
    };
  }

  /** A record that is there already gets a part of what was sent. */
  #changing(record: BulkRecord<I>): BulkRecord<I> {
    const { input, subject } = record;
    if (input === undefined || subject === undefined) return record;
    return { ...record, values: this.upsert.changes(input.values) };
  }

  #isWritten({ subject }: BulkRecord<I>): boolean {
    return subject === undefined || !this.upsert.leaves;
  }

  /** Says everything that is wrong with records of which some cannot be told. */
  async #refuse(request: R, records: readonly BulkRecord<I>[], known: readonly Known<I>[]): Promise<never> {
    const found = new Map((await this.#found(request, known)).map((record) => [record.index, record]));
    await this.parts.judge.judge(
      request,
      records.map((record) => found.get(record.index) ?? record),
    );
    throw new TypeError('An upsert has no values for the columns by which its records are found');
  }
}

/** Gives those of which no record was found. */
function lostOf<I>(known: readonly Known<I>[], found: readonly BulkRecord<I>[]): readonly Known<I>[] {
  return known.filter((_, index) => found[index]?.subject === undefined);
}
