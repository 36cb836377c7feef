import { writtenSchema } from '../../../model/column.schema.js';
import type { Column } from '../../../model/column.js';
import type { Selection } from '../../../query/query.plan.js';
import { columnsOf } from '../../../query/selected.columns.js';
import { longestAnswer } from '../../../wire/refusals.js';
import type { Mark } from '../../soft/mark.js';
import type { WriteInput, WriteRequest } from '../writes.js';
import type {
  BulkAnswer,
  BulkUpsertAnswer,
  BulkWrites,
  MetRecords,
  PlacedChange,
  PlacedInput,
  PlacedTarget,
} from './bulk.writes.js';
import { StatementLeft } from './statement.left.js';

/** The room for a short value with its name, in characters. */
const shortValue = 1000;

/** The most characters of JSON text for one of a value: `\u0001`. */
const escaped = 6;

/** The most digits that a database keeps for a character of a number within JSON: `1e300`, `5e-324`. */
const digits = 64;

/** The formats of texts that are short. */
const shortFormats: ReadonlySet<string | undefined> = new Set(['uuid', 'date', 'date-time']);

/**
 * Writes of one statement, which leave what they cannot do to the unit of work. A statement is committed once it was sent, its answer
 * is made after that. Where the answer may be longer than a text can be, both are one transaction: nothing is kept that cannot be
 * answered.
 */
export class AnsweredBulkWrites<R extends WriteRequest, I extends WriteInput> implements BulkWrites<R, I> {
  /**
   * @param statement leaves by {@link StatementLeft}
   * @param sure the most records whose answer certainly can be made
   */
  constructor(
    private readonly statement: BulkWrites<R, I>,
    private readonly unit: BulkWrites<R, I>,
    private readonly sure: number,
  ) {}

  create<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    return this.#written(request, inputs.length, (writes) => writes.create(request, inputs, answer));
  }

  upsert<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkUpsertAnswer<R, T>): Promise<T> {
    return this.#written(request, inputs.length, (writes) => writes.upsert(request, inputs, answer));
  }

  update<T>(request: R, changes: readonly PlacedChange<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    return this.#written(request, changes.length, (writes) => writes.update(request, changes, answer));
  }

  updateMet<T>(request: R, met: MetRecords, change: PlacedInput<I>, answer: BulkAnswer<R, T>): Promise<T> {
    return this.#written(request, met.maximum, (writes) => writes.updateMet(request, met, change, answer));
  }

  delete<T>(request: R, targets: readonly PlacedTarget[], answer: BulkAnswer<R, T>, mark?: Mark): Promise<T> {
    return this.#written(request, targets.length, (writes) => writes.delete(request, targets, answer, mark));
  }

  deleteMet<T>(request: R, met: MetRecords, answer: BulkAnswer<R, T>, mark?: Mark): Promise<T> {
    return this.#written(request, met.maximum, (writes) => writes.deleteMet(request, met, answer, mark));
  }

  async #written<T>(
    { session }: R,
    count: number,
    write: (writes: BulkWrites<R, I>) => Promise<T>,
  ): Promise<T> {
    const stated = (): Promise<T> => write(this.statement);
    // What is a part of a transaction already is undone with it.
    const isUndone = count <= this.sure || session.isPart || session.isInTransaction;
    try {
      return await (isUndone ? stated() : session.repeated(() => session.inside(stated)));
    } catch (error) {
      if (!(error instanceof StatementLeft)) throw error;
    }
    return write(this.unit);
  }
}

/**
 * The most records whose answer certainly can be made, of values that came through the service.
 * @param longestSent the longest value that clients can send, in bytes
 */
export function surelyAnswered(selection: Selection, longestSent: number): number {
  let longest = 0;
  for (const { column } of columnsOf(selection)) longest += lengthOf(column, longestSent);
  return longest === 0 ? Infinity : Math.floor(longestAnswer / longest);
}

/** The most characters of a value with its name. */
function lengthOf(column: Column, longestSent: number): number {
  if (column.type.storage !== 'scalar') return digits * longestSent;
  const { type, format, enum: values, maxLength = longestSent } = writtenSchema(column, false);
  const isText = type === undefined || [type].flat().includes('string');
  if (!isText || values !== undefined || shortFormats.has(format)) return shortValue;
  return shortValue + escaped * maxLength;
}
