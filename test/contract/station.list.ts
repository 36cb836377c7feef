import { defineEntity, p } from '@mikro-orm/core';
import {
  Backend,
  Conflict,
  type BackendCondition,
  type BackendQuery,
  type BackendRecord,
} from '@nest-endpoints/core';

/** Stations are in a backend, readings in the database. */
export const Station = defineEntity({
  name: 'Station',
  properties: {
    id: p.integer().primary().autoincrement(),
    callSign: p.string().length(8).unique(),
    height: p.integer().nullable(),
    openedAt: p.datetime().nullable(),
    notes: p.json<unknown>().nullable(),
  },
});

export const Reading = defineEntity({
  name: 'Reading',
  properties: {
    id: p.integer().primary().autoincrement(),
    // Its stations are in the backend: no key of another table.
    station: () => p.manyToOne(Station).createForeignKeyConstraint(false),
    celsius: p.double(),
  },
});

/** Keeps stations in a list; a stand-in for a service on the other side of a network. */
export class StationList extends Backend {
  records: Record<string, unknown>[] = [];
  /** How often somebody has asked how many there are. */
  counts = 0;
  #last = 0;

  override canFilter(columnName: string, operator: string): boolean {
    return ['=', 'in'].includes(operator) && columnName !== 'height';
  }

  override canSort(columnName: string): boolean {
    return columnName !== 'openedAt';
  }

  override async find(conditions: readonly BackendCondition[]): Promise<BackendRecord | undefined> {
    return (await this.page({ conditions, sorts: [], limit: 1, start: 0 }))[0];
  }

  override page({ conditions, sorts, limit, start }: BackendQuery): Promise<readonly BackendRecord[]> {
    const key = sorts[0]?.columnName ?? 'id';
    const sign = sorts[0]?.direction === 'desc' ? -1 : 1;
    const sorted = this.#matching(conditions).toSorted((one, other) => {
      const [left, right] = [one[key], other[key]] as [string, string];
      return sign * (left < right ? -1 : Number(left > right));
    });
    return Promise.resolve(sorted.slice(start, start + limit));
  }

  override count(conditions: readonly BackendCondition[]): Promise<number> {
    this.counts += 1;
    return Promise.resolve(this.#matching(conditions).length);
  }

  override create(values: BackendRecord): Promise<BackendRecord> {
    this.#last += 1;
    const record = { id: this.#last, ...values };
    this.records.push(record);
    return Promise.resolve(record);
  }

  override update(id: unknown, changes: BackendRecord): Promise<void> {
    Object.assign(this.records.find((record) => record['id'] === id) ?? {}, changes);
    return Promise.resolve();
  }

  override delete(id: unknown): Promise<void> {
    if (this.records.find((record) => record['id'] === id)?.['callSign'] === 'HQ')
      return Promise.reject(new Conflict('The headquarters stay'));
    this.records = this.records.filter((record) => record['id'] !== id);
    return Promise.resolve();
  }

  clear(): void {
    this.records = [];
    this.counts = 0;
    this.#last = 0;
  }

  #matching(conditions: readonly BackendCondition[]): Record<string, unknown>[] {
    return this.records.filter((record) =>
      conditions.every(({ columnName, value }) =>
        Array.isArray(value) ? value.includes(record[columnName]) : record[columnName] === value,
      ),
    );
  }
}
