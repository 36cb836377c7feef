import type { Model } from '../../model/model.js';
import { operatorOf } from '../../model/operator.js';
import { isGroup } from '../../query/criterion.js';
import type { Condition, Criterion, ListPlan } from '../../query/query.plan.js';
import type { NameTable } from '../../wire/name.table.js';
import { BadRequest } from '../../wire/refusals.js';
import type { Backend, BackendCondition, BackendRecord, BackendSort } from './backend.js';
import { sortKeys } from '../../sql/keyset.js';
import type { RecordReading, RowPage } from '../record.store.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';

/** Makes a row of a record of a backend. */
export type BackendRow = (record: BackendRecord) => Row;

/** Reads the records of a backend. What a backend cannot do is a 400 that names the column (decisions: Backends). */
export class BackendReader implements RecordReading {
  constructor(
    private readonly backend: Backend,
    private readonly model: Model,
    private readonly names: NameTable,
    readonly layout: RowLayout,
    private readonly rowOf: BackendRow,
  ) {}

  async find(_session: Session, conditions: readonly Criterion[]): Promise<Row | undefined> {
    const record = await this.backend.find(this.#conditions(conditions));
    return record === undefined ? undefined : this.rowOf(record);
  }

  async readBack(session: Session, id: unknown): Promise<Row | undefined> {
    return this.find(session, [{ path: this.model.idPath, comparison: '=', value: id }]);
  }

  async readBackAll(session: Session, ids: readonly unknown[]): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const id of ids) {
      const row = await this.readBack(session, id);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  entitiesOf(): ReadonlySet<never> {
    return new Set();
  }

  async list(_session: Session, plan: ListPlan): Promise<RowPage> {
    const { limit, from, count } = plan;
    const start = 'start' in from ? from.start : 0;
    const conditions = this.#conditions(plan.conditions);
    const found = await this.backend.page({ conditions, sorts: this.#sorts(plan), limit: limit + 1, start });
    const hasMore = found.length > limit;
    const rows = found.slice(0, limit).map((record) => this.rowOf(record));
    const isTold = !hasMore && (found.length > 0 || start === 0);
    const counted = async (): Promise<number> =>
      isTold ? start + found.length : this.backend.count(conditions);
    const total = count === 'none' ? undefined : await counted();
    return { rows, hasMore, last: undefined, total };
  }

  #sorts({ sorts }: ListPlan): BackendSort[] {
    return sortKeys(this.model, sorts).map(({ path, direction }) => {
      if (this.backend.canSort(path.text)) return { columnName: path.text, direction };
      throw new BadRequest(`Records cannot be sorted by '${this.names.outward(path.text)}' here`);
    });
  }

  /** All conditions must be met, so that those of `all` are conditions as others are. */
  #conditions(criteria: readonly Criterion[]): BackendCondition[] {
    return criteria.flatMap((one) => {
      if (!isGroup(one)) return this.#condition(one);
      if (one.word === 'all') return this.#conditions(one.members);
      throw new BadRequest(`'${this.names.control(one.word)}' cannot be used here`);
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
