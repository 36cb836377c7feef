import type { Database } from '../../../database/database.js';
import type { Model } from '../../../model/model.js';
import type { WriteUse } from '../../record.store.js';
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
import { StatementChanges } from './statement.changes.js';
import { StatementInserts } from './statement.inserts.js';
import { StatementUpserts } from './statement.upserts.js';
import { BulkStatementParts } from './bulk.statement.parts.js';
import type { Row } from '../../../sql/row.layout.js';

/**
 * Writes of many records that are one statement each, which also answers with all of them. They leave to the unit of work what
 * they do not know, what is not there, and what the database refuses: there the checks find the reason and its place.
 */
export class StatementBulkWrites<R extends WriteRequest, I extends WriteInput> implements BulkWrites<R, I> {
  readonly #inserts: StatementInserts;
  readonly #changes: StatementChanges;
  readonly #upserts: StatementUpserts | undefined;

  constructor(
    database: Database,
    model: Model,
    use: WriteUse,
    private readonly unit: BulkWrites<R, I>,
  ) {
    const parts = new BulkStatementParts(database, model, use);
    this.#inserts = new StatementInserts(parts);
    this.#changes = new StatementChanges(parts);
    this.#upserts = use.conflict && new StatementUpserts(parts, use.conflict);
  }

  async create<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    const isSound = inputs.every(({ input }) => input.complaints.size === 0);
    const rows = isSound ? await this.#inserts.create(request.session, inputs) : undefined;
    return rows === undefined ? this.unit.create(request, inputs, answer) : answer(request, rows);
  }

  async upsert<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkUpsertAnswer<R, T>): Promise<T> {
    const isSound = inputs.every(({ input }) => input.complaints.size === 0);
    const upserted = isSound ? await this.#upserts?.upsert(request.session, inputs) : undefined;
    if (upserted === undefined) return this.unit.upsert(request, inputs, answer);
    return answer(request, upserted.rows, upserted.counts);
  }

  async update<T>(request: R, changes: readonly PlacedChange<I>[], answer: BulkAnswer<R, T>): Promise<T> {
    const rows = await this.#changes.update(request.session, changes);
    return rows === undefined ? this.unit.update(request, changes, answer) : answer(request, rows);
  }

  async updateMet<T>(
    request: R,
    met: MetRecords,
    change: PlacedInput<I>,
    answer: BulkAnswer<R, T>,
  ): Promise<T> {
    const rows = await this.#changes.updateMet(request.session, met, change.input.values);
    return rows === undefined ? this.unit.updateMet(request, met, change, answer) : answer(request, rows);
  }

  async delete<T>(
    request: R,
    targets: readonly PlacedTarget[],
    answer: BulkAnswer<R, T>,
    mark?: Mark,
  ): Promise<T> {
    const rows = await this.#changes.delete(request.session, targets, mark);
    return rows === undefined ? this.unit.delete(request, targets, answer, mark) : answer(request, rows);
  }

  async deleteMet<T>(request: R, met: MetRecords, answer: BulkAnswer<R, T>, mark?: Mark): Promise<T> {
    const rows: readonly Row[] | undefined = await this.#changes.deleteMet(request.session, met, mark);
    return rows === undefined ? this.unit.deleteMet(request, met, answer, mark) : answer(request, rows);
  }
}
