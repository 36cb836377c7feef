import { databaseReason } from '../../../database/errors/database.error.js';
import { TryAgain } from '../../../database/errors/try.again.js';
import {
  InvalidInput,
  NotAuthorized,
  PreconditionFailed,
  ServiceUnavailable,
} from '../../../wire/refusals.js';
import type { ColumnValues, RecordKey, StoredRecord } from '../../record.store.js';
import type { Subject, UnitParts, UpsertParts } from '../unit.parts.js';
import type { UpsertTarget, WriteInput, WriteRequest } from '../writes.js';

/** The number of times that a record is looked for again which was not there, and then was. */
const retries = 3;

const hiddenByPolicies = 'policies of the database hide a record that has this key';

/** The reason why a transaction of a whole is tried again: of its parts, one met a record that was not there before. */
export class OthersWereFaster extends TryAgain {
  constructor(cause: unknown) {
    super('A record that was looked for was created meanwhile', { cause });
  }
}

/** True for an error that the values of another record may have led to. */
export function isOfValues(error: unknown): boolean {
  return error instanceof InvalidInput || databaseReason(error) === 'unique';
}

/** The facts about a write when it fails. */
export interface Attempt {
  subject?: Subject;
}

/** A record that was created or changed. */
export interface UpsertedRecord {
  readonly key: RecordKey;
  readonly isNew: boolean;
}

/**
 * Creates a record, or changes the one that is there, through MikroORM. Which of the two it is, is decided with the record
 * locked. Two that find none create it both: the database refuses the second, which then finds the record of the first.
 */
export class UnitUpsert<R extends WriteRequest, I extends WriteInput> {
  constructor(
    private readonly parts: UnitParts<R, I>,
    private readonly upsert: UpsertParts<R, I>,
  ) {}

  /** Within a transaction. @throws PreconditionFailed, InvalidInput, ServiceUnavailable */
  async write(request: R, target: UpsertTarget, input: I, attempt: Attempt): Promise<UpsertedRecord> {
    const { upsert } = this;
    const { session } = request;
    const key = upsert.keyOf(input);
    if (key === undefined) return this.#refuse(request, input);
    const reason = await upsert.index.reasonAgainst(session);
    if (reason !== undefined) throw new Error(`An Upsert cannot be sure of its record: ${reason}`);
    const { size: said } = input.complaints;
    let refused: unknown;
    for (let times = 0; times <= retries; times += 1) {
      const isLate = times > 0 || session.isPart;
      const record = await this.#find(request, input, key, isLate && target.mayCreate);
      if (record !== undefined) return this.#update(request, target, input, record, attempt);
      if (!target.mayCreate) throw new PreconditionFailed();
      try {
        return await this.#create(request, input);
      } catch (error) {
        if (!(await this.#wasFaster(request, key, error))) throw error;
        input.forget(said);
        if (session.isPart) throw new OthersWereFaster(error);
        refused = error;
      }
    }
    // Policies of the database hide it even from the question. What the database said is about a unique value.
    if (session.hasPolicies) throw new NotAuthorized({ cause: new Error(hiddenByPolicies) });
    throw new ServiceUnavailable({ cause: refused });
  }

  /**
   * Finds the record, locked. One that none may change here is refused: whoever sees it is told the same.
   *
   * @param isSure whether it is asked for such a one: the database refused to create it, or a part of a request cannot try it
   */
  async #find(request: R, input: I, key: ColumnValues, isSure: boolean): Promise<StoredRecord | undefined> {
    const { upsert } = this;
    const record = await upsert.find(request, key);
    if (record !== undefined || !isSure || !(await upsert.index.isTaken(request.session, key))) return record;
    // It may have been created between the two questions.
    const again = await upsert.find(request, key);
    if (again === undefined) upsert.refuseTaken(input);
    return again;
  }

  async #update(
    request: R,
    { mayUpdate, expected }: UpsertTarget,
    input: I,
    record: StoredRecord,
    attempt: Attempt,
  ): Promise<UpsertedRecord> {
    const { store, versions, judge, steps, related } = this.parts;
    if (!mayUpdate) throw new PreconditionFailed();
    const subject = { id: store.writing.idOf(record), record };
    attempt.subject = subject;
    await versions.check(request, subject.id, expected);
    await judge.judge(request, input, subject);
    related?.watch(request, record);
    await steps.update(request, record, this.upsert.changes(input.values));
    const key = store.writing.idOf(record);
    await judge.confirm(request, input, key);
    return { key, isNew: false };
  }

  /** True if somebody has created the record meanwhile. It may be the very one that has another unique value of the input, too. */
  async #wasFaster(request: R, key: ColumnValues, error: unknown): Promise<boolean> {
    const { index } = this.upsert;
    const { session } = request;
    if (await index.isViolatedBy(session, error)) return true;
    if (!isOfValues(error)) return false;
    // What else is wrong with the input is told whether the key is a hidden one or none. Of a part, the transaction may be over.
    const isAsked = error instanceof InvalidInput && !session.isPart;
    return isAsked ? (await this.upsert.find(request, key)) !== undefined : index.isTaken(session, key);
  }

  /** In a part of its own of the transaction, which goes on where somebody else was faster. */
  async #create(request: R, input: I): Promise<UpsertedRecord> {
    const { store, judge, steps } = this.parts;
    await judge.judge(request, input);
    return store.transaction(request.session, async () => {
      const key = await steps.create(request, input.values);
      await judge.confirm(request, input, key);
      return { key, isNew: true };
    });
  }

  /** Says everything that is wrong with input which cannot tell its record. */
  async #refuse(request: R, input: I): Promise<never> {
    await this.parts.judge.judge(request, input);
    throw new TypeError('An Upsert has no values for the columns by which its record is found');
  }
}
