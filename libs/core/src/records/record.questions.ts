import type { Column } from '../model/column.js';
import type { ColumnPath, Model } from '../model/model.js';
import type { RecordQuestions } from '../model/validator.js';
import type { Database, RequestEntityManager } from './database.js';
import type { RecordKey } from './record.writer.js';
import { restrictionsOf, unrestricted } from './restriction.js';
import { SelectStatement, type SelectShape } from './select.statement.js';

/** Answers what Unique and BelongsToId want to know of stored records, one statement a question. */
export class RecordQuestioner {
  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {}

  /** @param ownId the key of the record being updated; undefined when it is created */
  about(em: RequestEntityManager, column: Column, ownId: RecordKey | undefined): RecordQuestions {
    return {
      isTaken: (value) => this.#isTaken(em, column, value, ownId),
      parentExists: (key) => this.#parentExists(em, column, key),
    };
  }

  /** A value is taken whoever may see its record: the database would refuse it all the same. */
  async #isTaken(
    em: RequestEntityManager,
    column: Column,
    value: unknown,
    ownId: RecordKey | undefined,
  ): Promise<boolean> {
    const { model } = this;
    const rows = await this.#rows(em, model, { text: column.name, relations: [], column }, value);
    return rows.some((id) => ownId === undefined || String(id) !== String(ownId));
  }

  async #parentExists(em: RequestEntityManager, column: Column, key: unknown): Promise<boolean> {
    const relation = this.model.parentOf(column);
    if (relation === undefined) return true;
    const { idColumn } = relation;
    const path = { text: idColumn.name, relations: [], column: idColumn };
    const rows = await this.#rows(em, relation, path, key, await restrictionsOf(em, [relation.meta]));
    return rows.length > 0;
  }

  async #rows(
    em: RequestEntityManager,
    model: Model,
    path: ColumnPath,
    value: unknown,
    restrictions = unrestricted,
  ): Promise<RecordKey[]> {
    const { dialect, tables } = this.database;
    const id = { text: model.idColumn.name, relations: [], column: model.idColumn };
    const conditions = [{ path, operator: '=', isExact: true }] as const;
    const shape: SelectShape = { model, columns: [id], conditions, sorts: [], paged: true };
    const statement = SelectStatement.write(dialect, tables, shape, restrictions);
    const rows = await this.database.run(em, statement, [value, 2, 0]);
    return rows.map((row) => row['c0'] as RecordKey);
  }
}
