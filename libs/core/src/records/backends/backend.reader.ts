import type { Model } from '../../model/model.js';
import { operatorOf } from '../../model/operator.js';
import type { Condition, ListPlan } from '../../query/query.plan.js';
import type { NameTable } from '../../wire/name.table.js';
import { BadRequest } from '../../wire/refusals.js';
import type { Backend, BackendCondition, BackendRecord, BackendSort } from './backend.js';
import { sortKeys } from '../sql/keyset.js';
import type { RecordPage, RecordReading } from '../record.store.js';
import type { Session } from '../session.js';

/** What a reader makes of the records it has found. */
export interface BackendOutput<One, Many> {
  one(record: BackendRecord): One;
  many(records: readonly One[]): Many;
}

/** Reads the records of a backend. What a backend cannot do is a 400 that names the column (decisions: Backends). */
export class BackendReader<One, Many> implements RecordReading<One, Many> {
  constructor(
    private readonly backend: Backend,
    private readonly model: Model,
    private readonly names: NameTable,
    private readonly output: BackendOutput<One, Many>,
  ) {}

  async find(_session: Session, conditions: readonly Condition[]): Promise<One | undefined> {
    const record = await this.backend.find(conditions.map((condition) => this.#condition(condition)));
    return record === undefined ? undefined : this.output.one(record);
  }

  async readBack(session: Session, id: unknown): Promise<One | undefined> {
    return this.find(session, [{ path: this.model.idPath, comparison: '=', value: id }]);
  }

  async list(_session: Session, plan: ListPlan): Promise<RecordPage<Many>> {
    const { limit, from, count } = plan;
    const start = 'start' in from ? from.start : 0;
    const conditions = plan.conditions.map((condition) => this.#condition(condition));
    const found = await this.backend.page({ conditions, sorts: this.#sorts(plan), limit: limit + 1, start });
    const hasMore = found.length > limit;
    const shown = found.slice(0, limit).map((record) => this.output.one(record));
    const isTold = !hasMore && (found.length > 0 || start === 0);
    const counted = async (): Promise<number> =>
      isTold ? start + found.length : this.backend.count(conditions);
    const total = count === 'none' ? undefined : await counted();
    return { data: this.output.many(shown), hasMore, last: undefined, total };
  }

  #sorts({ sorts }: ListPlan): BackendSort[] {
    return sortKeys(this.model, sorts).map(({ path, direction }) => {
      if (this.backend.canSort(path.text)) return { columnName: path.text, direction };
      throw new BadRequest(`Records cannot be sorted by '${this.names.outward(path.text)}' here`);
    });
  }

  #condition({ path, comparison, value }: Condition): BackendCondition {
    if (this.backend.canFilter(path.text, comparison))
      return { columnName: path.text, operator: comparison, value };
    throw new BadRequest(
      `'${operatorOf(comparison)}' cannot be used on '${this.names.outward(path.text)}' here`,
    );
  }
}
