import { refusalOf } from '../../../database/errors/database.error.js';
import { parentMissingMessage } from '../../../model/validators/parent-exists.validator.js';
import type { Row } from '../../../sql/row.layout.js';
import { Conflict, InvalidInput, NotFound } from '../../../wire/refusals.js';
import type { RecordKey, StoredRecord } from '../../record.store.js';
import type { Mark } from '../../soft/mark.js';
import { UsedRecord } from '../../soft/used.record.js';
import type { Subject } from '../unit.parts.js';
import type { WriteInput, WriteRequest } from '../writes.js';
import { newRecords, type BulkParts, type BulkRecord } from './bulk.parts.js';
import type {
  BulkAnswer,
  BulkWrites,
  MetRecords,
  PlacedChange,
  PlacedInput,
  PlacedTarget,
} from './bulk.writes.js';
import { firstRefused, probeOf } from './first.refused.js';

/** The most complaints of one answer. */
const mostComplaints = 100;

/** The records of a write when it fails, and how the database is asked which of them it refuses. */
interface Attempt<I> {
  records: readonly BulkRecord<I>[];
  readonly write: (records: readonly BulkRecord<I>[]) => Promise<void>;
}

/** Writes of many records that are a unit of work: judged, written through MikroORM in batches and read back, or undone. */
export class BulkUnitWrites<R extends WriteRequest, I extends WriteInput> implements BulkWrites<R, I> {
  constructor(private readonly parts: BulkParts<R, I>) {}

  /** The input is judged before the transaction begins. */
  create<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    return this.explained(request, inputs, async () => {
      await this.judge(request, inputs);
      return this.parts.store.transaction(request.session, async () => {
        const keys = await this.insert(request, inputs);
        return answer(request, await this.readBack(request, keys));
      });
    });
  }

  /** The input is judged while the records are locked. */
  update<T>(request: R, changes: readonly PlacedChange<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    return this.#updating(request, answer, async () => {
      const subjects = await this.#located(request, changes);
      return changes.map(({ place: entry, change }, index) => ({
        ...change,
        index,
        entry,
        subject: subjects[index],
      }));
    });
  }

  updateMet<T>(request: R, met: MetRecords, change: PlacedInput<I>, answer: BulkAnswer<R, T>): Promise<T> {
    return this.#updating(request, answer, async () => {
      const records = await this.parts.locator.met(request, met);
      return records.map((record, index) => ({
        ...change,
        index,
        entry: undefined,
        subject: this.#subject(record),
      }));
    });
  }

  delete<T>(
    request: R,
    targets: readonly PlacedTarget[],
    answer: BulkAnswer<R, T>,
    mark?: Mark,
  ): Promise<T> {
    return this.#deleting(request, answer, mark, async () => {
      const subjects = await this.#located(request, targets);
      return targets.map(({ place }, index) => ({
        place,
        index,
        entry: place,
        input: undefined,
        subject: subjects[index],
      }));
    });
  }

  deleteMet<T>(request: R, met: MetRecords, answer: BulkAnswer<R, T>, mark?: Mark): Promise<T> {
    return this.#deleting(request, answer, mark, async () => {
      const records = await this.parts.locator.met(request, met);
      return records.map((record, index) => {
        const subject = this.#subject(record);
        return { place: '', index, entry: undefined, input: undefined, subject };
      });
    });
  }

  // The steps of a create, for who puts something between them

  /** @throws InvalidInput */
  judge(request: R, inputs: readonly PlacedInput<I>[]): Promise<void> {
    return this.parts.judge.judge(request, newRecords(inputs));
  }

  /** Within a transaction. */
  async insert(request: R, inputs: readonly PlacedInput<I>[]): Promise<readonly RecordKey[]> {
    const { steps, judge } = this.parts;
    const records = newRecords(inputs);
    const keys = await steps.createAll(request, records);
    await judge.confirm(request, withKeys(records, keys));
    return keys;
  }

  /** The records that the request has written, in the order of their keys. @throws NotFound when somebody took one away */
  async readBack({ session }: R, keys: readonly RecordKey[]): Promise<readonly Row[]> {
    const { reading, keyOf } = this.parts;
    if (reading === undefined) return [];
    const rows = await reading.readBackAll(session, keys);
    const byKey = new Map(rows.map((row) => [String(keyOf(row)), row]));
    return keys.map((key) => {
      const row = byKey.get(String(key));
      if (row === undefined) throw new NotFound();
      return row;
    });
  }

  /** Runs the steps of a create; what the database refuses of it is told of the record and the column that it is about. */
  explained<T>(request: R, inputs: readonly PlacedInput<I>[], work: () => Promise<T>): Promise<T> {
    const { writing } = this.parts;
    const write = async (records: readonly BulkRecord<I>[]): Promise<void> => {
      const staged = await writing.stageAll(
        request.session,
        records.map(({ input }) => ({ values: input?.values ?? new Map() })),
      );
      await staged.write();
    };
    return this.#explained(request, { records: newRecords(inputs), write }, work);
  }

  #updating<T>(
    request: R,
    answer: BulkAnswer<R, T>,
    find: () => Promise<readonly BulkRecord<I>[]>,
  ): Promise<T> {
    const { store, judge, steps, writing } = this.parts;
    const { session } = request;
    const write = async (records: readonly BulkRecord<I>[]): Promise<void> => {
      const stored = await this.#locatedAgain(request, records);
      const inputs = records.map(({ input }, index) => ({
        values: input?.values ?? new Map(),
        record: stored[index],
      }));
      await (await writing.stageAll(session, inputs)).write();
    };
    const attempt: Attempt<I> = { records: [], write };
    return this.#explained(request, attempt, () =>
      store.transaction(session, async () => {
        const records = (attempt.records = await find());
        await judge.judge(request, records);
        const keys = await steps.updateAll(request, records);
        await judge.confirm(request, withKeys(records, keys));
        return answer(request, await this.readBack(request, keys));
      }),
    );
  }

  #deleting<T>(
    request: R,
    answer: BulkAnswer<R, T>,
    mark: Mark | undefined,
    find: () => Promise<readonly BulkRecord<I>[]>,
  ): Promise<T> {
    const { store, steps, writing } = this.parts;
    const { session } = request;
    const write = async (records: readonly BulkRecord<I>[]): Promise<void> => {
      const stored = await this.#locatedAgain(request, records);
      await writing.deleteAll(
        session,
        stored.flatMap((record) => record ?? []),
      );
    };
    const attempt: Attempt<I> = { records: [], write };
    return this.#explained(request, attempt, () =>
      store.transaction(session, async () => {
        const records = (attempt.records = await find());
        const rows = await this.readBack(
          request,
          records.flatMap(({ subject }) => subject?.id ?? []),
        );
        if (mark !== undefined) await this.#deleteAlong(request, records, mark);
        await steps.deleteAll(request, records, mark);
        return answer(request, rows);
      }),
    );
  }

  /** @throws Conflict of the first that others still refer to */
  async #deleteAlong({ session }: R, records: readonly BulkRecord<I>[], mark: Mark): Promise<void> {
    const keys = records.flatMap(({ subject }) => subject?.id ?? []);
    try {
      await this.parts.relatives?.delete(session, keys, mark);
    } catch (error) {
      const used = error instanceof UsedRecord ? String(error.key) : undefined;
      const refused = records.find(({ subject }) => used !== undefined && String(subject?.id) === used);
      if (refused?.entry === undefined || !(error instanceof UsedRecord)) throw error;
      throw new Conflict(`${refused.entry}: ${error.message}`, { cause: error });
    }
  }

  /** The records, locked and in the versions that they are to be in. @throws InvalidInput for those that are not there */
  async #located(request: R, targets: readonly PlacedTarget[]): Promise<readonly Subject[]> {
    const { locator, versions } = this.parts;
    const records = await locator.locate(
      request,
      targets.map(({ value }) => value),
    );
    const missing = targets.filter((_, index) => records[index] === undefined).slice(0, mostComplaints);
    if (missing.length > 0)
      throw new InvalidInput(new Map(missing.map(({ key }) => [key, parentMissingMessage])));
    const subjects = records.flatMap((record) => (record === undefined ? [] : [this.#subject(record)]));
    const named = targets.map((target, index) => ({ ...target, id: subjects[index]?.id ?? '' }));
    await versions.checkAll(request, named);
    return subjects;
  }

  #locatedAgain(
    { session }: R,
    records: readonly BulkRecord<I>[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    const { writing, idColumn } = this.parts;
    const keys = records.map(({ subject }) => subject?.id);
    return writing.locateAll(session, idColumn, keys);
  }

  #subject(record: StoredRecord): Subject {
    return { id: this.parts.writing.idOf(record), record };
  }

  async #explained<T>(request: R, attempt: Attempt<I>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.#reasonOf(error, request, attempt);
    }
  }

  /** The error to throw for one of a write. */
  async #reasonOf(error: unknown, request: R, { records, write }: Attempt<I>): Promise<unknown> {
    const conflict = refusalOf(error);
    if (!(conflict instanceof Conflict)) return error;
    const { store, writing, judge } = this.parts;
    const { session } = request;
    writing.forget(session);
    if (store.refusalOf(error)?.mayBeExplained === true) await judge.askAgain(request, records);
    const refused = await firstRefused(probeOf(store, writing, session), records, write);
    if (refused === undefined) return error;
    await judge.blame(error, request, refused);
    const { entry } = refused;
    return entry === undefined ? error : new Conflict(`${entry}: ${conflict.message}`, { cause: error });
  }
}

/** The records as they are written by now. */
function withKeys<I>(
  records: readonly BulkRecord<I>[],
  keys: readonly RecordKey[],
): readonly BulkRecord<I>[] {
  return records.map((one, index) => {
    const id = keys[index];
    return id === undefined ? one : { ...one, subject: { id, record: one.subject?.record ?? one } };
  });
}
