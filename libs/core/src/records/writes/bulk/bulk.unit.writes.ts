import { refusalOf } from '../../../database/errors/database.error.js';
import type { Row } from '../../../sql/row.layout.js';
import { Conflict, NotFound } from '../../../wire/refusals.js';
import type { ColumnValues, RecordKey } from '../../record.store.js';
import type { Mark } from '../../soft/mark.js';
import type { WriteInput, WriteRequest } from '../writes.js';
import { newRecords, withKeys, type BulkParts, type BulkRecord } from './bulk.parts.js';
import { BulkUnitUpsert, type UpsertedKeys } from './bulk.unit.upsert.js';
import type {
  BulkAnswer,
  BulkUpsertAnswer,
  BulkWrites,
  MetRecords,
  PlacedChange,
  PlacedInput,
  PlacedTarget,
} from './bulk.writes.js';
import { BulkSubjects } from './bulk.subjects.js';
import { deleteAlong } from './deleted.along.js';
import { firstRefused } from './first.refused.js';
import { recordKeyText } from '../../record.key.js';

const noUpsert = 'This is no upsert';

/** The records of a write when it fails, and how the database is asked which of them it refuses. */
interface Attempt<I> {
  records: readonly BulkRecord<I>[];
  readonly write: (records: readonly BulkRecord<I>[]) => Promise<void>;
}

/** Writes of many records that are a unit of work: judged, written through MikroORM in batches and read back, or undone. */
export class BulkUnitWrites<R extends WriteRequest, I extends WriteInput> implements BulkWrites<R, I> {
  readonly #upsert: BulkUnitUpsert<R, I> | undefined;
  readonly #subjects: BulkSubjects<R, I>;

  constructor(private readonly parts: BulkParts<R, I>) {
    this.#subjects = new BulkSubjects(parts);
    this.#upsert = parts.upsert && new BulkUnitUpsert(parts, parts.upsert);
  }

  /** The input is judged before the transaction begins. */
  create<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    return this.explained(request, inputs, async () => {
      await this.judge(request, inputs);
      return this.parts.store.transaction(request.session, async () => {
        const keys = await this.#inserted(request, inputs);
        return answer(request, await this.readBack(request, keys));
      });
    });
  }

  /** The input is judged while the records are locked: only then is known which of them are new. */
  upsert<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkUpsertAnswer<R, T>): Promise<T> {
    return this.upserting(request, inputs, (write) =>
      this.parts.store.transaction(request.session, async () => {
        const { keys, counts } = await write();
        return answer(request, await this.readBack(request, keys), counts);
      }),
    );
  }

  /** The input is judged while the records are locked. */
  update<T>(request: R, changes: readonly PlacedChange<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    return this.#updating(request, answer, async () => {
      const subjects = await this.#subjects.located(request, changes);
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
        subject: this.#subjects.of(record),
      }));
    });
  }

  delete<T>(request: R, targets: readonly PlacedTarget[], answer: BulkAnswer<R, T>, mark?: Mark): Promise<T> {
    return this.#deleting(request, answer, mark, async () => {
      const subjects = await this.#subjects.located(request, targets);
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
        const subject = this.#subjects.of(record);
        return { place: '', index, entry: undefined, input: undefined, subject };
      });
    });
  }

  // The steps of a create, for who puts something between them

  /** @throws InvalidInput */
  judge(request: R, inputs: readonly PlacedInput<I>[]): Promise<void> {
    return this.parts.judge.judge(request, newRecords(inputs));
  }

  /** Within a transaction. @throws NotFound for what the request may not write */
  async insert(request: R, inputs: readonly PlacedInput<I>[]): Promise<readonly RecordKey[]> {
    const keys = await this.#inserted(request, inputs);
    await this.#stayWithin(request, keys);
    return keys;
  }

  async #inserted(request: R, inputs: readonly PlacedInput<I>[]): Promise<readonly RecordKey[]> {
    const { steps, judge } = this.parts;
    const records = newRecords(inputs);
    const keys = await steps.createAll(request, records);
    await judge.confirm(request, withKeys(records, keys));
    return keys;
  }

  /** Within a transaction. What the database refuses is thrown as it is. @throws InvalidInput, NotFound */
  async upsertAll(request: R, inputs: readonly PlacedInput<I>[]): Promise<UpsertedKeys> {
    if (this.#upsert === undefined) throw new TypeError(noUpsert);
    const upserted = await this.#upsert.write(request, newRecords(inputs), () => undefined);
    await this.#stayWithin(request, upserted.keys);
    return upserted;
  }

  /** Judges records that are written by what binds them, where nobody reads them back. @throws NotFound */
  async #stayWithin({ session }: R, keys: readonly RecordKey[]): Promise<void> {
    const ids = new Map(keys.map((key) => [String(key), key]));
    if ((await this.parts.store.areWithin?.(session, [...ids.values()])) === false) throw new NotFound();
  }

  /**
   * Runs the steps of an upsert, for who puts something around them.
   * @param work is given what writes the records, within a transaction
   */
  upserting<T>(
    request: R,
    inputs: readonly PlacedInput<I>[],
    work: (write: () => Promise<UpsertedKeys>) => Promise<T>,
  ): Promise<T> {
    const { upsert: use } = this.parts;
    const upsert = this.#upsert;
    if (upsert === undefined || use === undefined) return Promise.reject(new TypeError(noUpsert));
    const records = newRecords(inputs);
    const attempt = this.#attempt(request, (values, isNew) => (isNew ? values : use.changes(values)));
    return this.#explained(request, attempt, () =>
      work(() =>
        upsert.write(request, records, (begun) => {
          attempt.records = begun;
        }),
      ),
    );
  }

  /** The records that the request has written, in the order of their keys. @throws NotFound when somebody took one away */
  async readBack(request: R, keys: readonly RecordKey[]): Promise<readonly Row[]> {
    const { session } = request;
    const { reading, keyOf, idColumn } = this.parts;
    if (reading === undefined) {
      await this.#stayWithin(request, keys);
      return [];
    }
    const rows = await reading.readBackAll(session, keys);
    const textOf = (key: unknown): string => recordKeyText(idColumn, key);
    const byKey = new Map(rows.map((row) => [textOf(keyOf(row)), row]));
    return keys.map((key) => {
      const row = byKey.get(textOf(key));
      if (row === undefined) throw new NotFound();
      return row;
    });
  }

  /** Runs the steps of a create; what the database refuses of it is told of the record and the column that it is about. */
  explained<T>(request: R, inputs: readonly PlacedInput<I>[], work: () => Promise<T>): Promise<T> {
    const attempt = this.#attempt(request);
    attempt.records = newRecords(inputs);
    return this.#explained(request, attempt, work);
  }

  #updating<T>(
    request: R,
    answer: BulkAnswer<R, T>,
    find: () => Promise<readonly BulkRecord<I>[]>,
  ): Promise<T> {
    const { store, judge, steps } = this.parts;
    const { session } = request;
    const attempt = this.#attempt(request);
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

  /** @param valuesOf the values that a record gets. Default all that it has */
  #attempt(
    request: R,
    valuesOf: (values: ColumnValues, isNew: boolean) => ColumnValues = (values) => values,
  ): Attempt<I> {
    const write = async (records: readonly BulkRecord<I>[]): Promise<void> => {
      const stored = await this.#subjects.again(request, records);
      const inputs = records.map(({ input, subject }, index) => ({
        values: valuesOf(input?.values ?? new Map(), subject === undefined),
        record: stored[index],
      }));
      await (await this.parts.writing.stageAll(request.session, inputs)).write();
    };
    return { records: [], write };
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
      const stored = await this.#subjects.again(request, records);
      await writing.deleteAll(
        session,
        stored.flatMap((record) => record ?? []),
      );
    };
    const attempt: Attempt<I> = { records: [], write };
    return this.#explained(request, attempt, () =>
      store.transaction(session, async () => {
        const records = (attempt.records = await find());
        const ids = records.flatMap(({ subject }) => subject?.id ?? []);
        const rows = this.parts.reading === undefined ? [] : await this.readBack(request, ids);
        if (mark !== undefined) await deleteAlong(this.parts.relatives, session, records, mark);
        await steps.deleteAll(request, records, mark);
        if (mark !== undefined) await this.#stayWithin(request, ids);
        return answer(request, rows);
      }),
    );
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
    const refusal = store.refusalOf(error);
    if (refusal?.mayBeExplained === true) await judge.askAgain(request, records);
    // What parts before it wrote is undone by now: only what is wrong with a record by itself can be tried out.
    if (session.isPart && refusal?.mayBeExplained !== false) return error;
    const forget = (): void => {
      writing.forget(session);
    };
    const refused = await firstRefused(session, { error, records, write, forget });
    if (refused === undefined) return error;
    await judge.blame(error, request, refused);
    const { entry } = refused;
    return entry === undefined ? error : new Conflict(`${entry}: ${conflict.message}`, { cause: error });
  }
}
