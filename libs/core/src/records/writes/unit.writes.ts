import { NotFound } from '../../wire/refusals.js';
import type { ColumnValues, RecordKey } from '../record.store.js';
import type { Mark } from '../soft/mark.js';
import type { SoftParts, UnitParts } from './unit.parts.js';
import { UnitUpsert, type Attempt, type UpsertedRecord } from './upsert/unit.upsert.js';
import type {
  StoredRow,
  UpsertAnswer,
  UpsertTarget,
  WriteAnswer,
  WriteInput,
  WriteRequest,
  Writes,
  WriteTarget,
} from './writes.js';

/** Writes that are a unit of work each: judged, written through MikroORM and read back, or undone. */
export class UnitWrites<R extends WriteRequest, I extends WriteInput> implements Writes<R, I> {
  readonly #upsert: UnitUpsert<R, I> | undefined;

  constructor(private readonly parts: UnitParts<R, I>) {
    this.#upsert = parts.upsert && new UnitUpsert(parts, parts.upsert);
  }

  /** The input is judged before the transaction begins. */
  create<T>(request: R, input: I, answer: WriteAnswer<R, T>): Promise<T> {
    return this.explained(request, input, async () => {
      await this.judge(request, input);
      return this.#transaction(request, input, async () => {
        const key = await this.insert(request, input);
        return answer(request, await this.readBack(request, key));
      });
    });
  }

  /** The input is judged while the record is locked. */
  update<T>(request: R, { value, expected }: WriteTarget, input: I, answer: WriteAnswer<R, T>): Promise<T> {
    const { store, locator, versions, judge, steps, related } = this.parts;
    return this.explained(request, input, (attempt) =>
      this.#transaction(request, input, async () => {
        const record = await locator.locate(request, value);
        const subject = { id: store.writing.idOf(record), record };
        attempt.subject = subject;
        await versions.check(request, subject.id, expected);
        await related?.before(request, input, record);
        await judge.judge(request, input, subject);
        await steps.update(request, record, input.values);
        const key = store.writing.idOf(record);
        await judge.confirm(request, input, key);
        await related?.after(request, input, { id: key, record, isNew: false });
        return answer(request, await this.readBack(request, key));
      }),
    );
  }

  upsert<T>(request: R, target: UpsertTarget, input: I, answer: UpsertAnswer<R, T>): Promise<T> {
    return this.explained(request, input, (attempt) =>
      this.#transaction(request, input, async () => {
        const { key, isNew } = await this.createOrUpdate(request, target, input, attempt);
        return answer(request, await this.readBack(request, key), isNew);
      }),
    );
  }

  async delete(request: R, { value, expected }: WriteTarget, mark?: Mark): Promise<void> {
    const { store, locator, versions, steps } = this.parts;
    await store.transaction(request.session, async () => {
      const record = await locator.locate(request, value);
      const id = store.writing.idOf(record);
      await versions.check(request, id, expected);
      // Nobody can refer to the record any more: who wants to waits for its lock.
      if (mark !== undefined) await this.#soft.relatives.delete(request.session, [id], mark);
      await steps.delete(request, record, mark);
      if (mark !== undefined && (await store.areWithin?.(request.session, [id])) === false)
        throw new NotFound();
    });
  }

  /** A value that a live record has by now is told as where one is created with it. */
  async restore<T>(
    request: R,
    { value, expected }: WriteTarget,
    mark: Mark,
    answer: WriteAnswer<R, T>,
  ): Promise<T> {
    const { store, locator, versions, steps } = this.parts;
    const soft = this.#soft;
    const { relatives, judge } = soft;
    let values: ColumnValues = new Map();
    try {
      return await store.transaction(request.session, async () => {
        const record = await locator.locate(request, value);
        const id = store.writing.idOf(record);
        const at = soft.deletedAt(record);
        await versions.check(request, id, expected);
        const comeback = await relatives.comeback(request.session, id, at);
        values = await judge.judge(request, id, comeback);
        await steps.restore(request, record, mark);
        await comeback.write(request.session, mark);
        return answer(request, await this.readBack(request, id));
      });
    } catch (error) {
      throw await judge.explain(error, request, values);
    }
  }

  get #soft(): SoftParts<R> {
    const { soft } = this.parts;
    if (soft === undefined) throw new TypeError('The records of the endpoint are deleted for good');
    return soft;
  }

  // The steps of a create, for who puts something between them

  /** @throws InvalidInput */
  judge(request: R, input: I): Promise<void> {
    return this.parts.judge.judge(request, input);
  }

  /** Within a transaction. */
  async insert(request: R, input: I): Promise<RecordKey> {
    const { steps, judge, related } = this.parts;
    await related?.before(request, input);
    const key = await steps.create(request, input.values);
    await judge.confirm(request, input, key);
    await related?.after(request, input, { id: key, record: undefined, isNew: true });
    return key;
  }

  /** Within a transaction. @throws PreconditionFailed, InvalidInput, ServiceUnavailable */
  async createOrUpdate(
    request: R,
    target: UpsertTarget,
    input: I,
    attempt: Attempt = {},
  ): Promise<UpsertedRecord> {
    if (this.#upsert === undefined) throw new TypeError('The endpoint has no columns to find records by');
    const { related } = this.parts;
    await related?.before(request, input);
    const upserted = await this.#upsert.write(request, target, input, attempt);
    const { key: id, isNew } = upserted;
    await related?.after(request, input, { id, record: attempt.subject?.record, isNew });
    return upserted;
  }

  /** A record that the request has written, as it is now. @throws NotFound when somebody took it away */
  async readBack({ session }: R, key: RecordKey): Promise<StoredRow> {
    const row = await this.parts.reading.readBack(session, key);
    if (row === undefined) throw new NotFound();
    return row;
  }

  /** Runs a unit of work of ours in one transaction. Where related records are written, too, it is theirs. */
  async #transaction<T>(request: R, input: I, work: () => Promise<T>): Promise<T> {
    const { related, store, reading } = this.parts;
    if (related !== undefined) return related.transaction(request, input, work);
    const { session } = request;
    const { told } = reading;
    const isTold = told !== undefined && (await told.isFinal(session));
    return store.transaction(session, () => {
      if (isTold) told.expect(session);
      return work();
    });
  }

  /** Runs `work`; what the database refuses of it is told of the column that it is about. */
  async explained<T>(request: R, input: I, work: (attempt: Attempt) => Promise<T>): Promise<T> {
    const attempt: Attempt = {};
    try {
      return await work(attempt);
    } catch (error) {
      throw await this.parts.judge.explain(error, request, input, attempt.subject);
    }
  }
}
