import type { EntityProperty } from '@mikro-orm/core';
import type { KindContext } from '../../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../../endpoint/request/endpoint.request.js';
import type { Column } from '../../../model/column.js';
import type { Model } from '../../../model/model.js';
import { parentMissingMessage } from '../../../model/validators/parent-exists.validator.js';
import { Unique, uniqueMessage } from '../../../model/validators/unique.validator.js';
import type { ColumnValues, RecordStore } from '../../../records/record.store.js';
import type { Comeback } from '../../../records/soft/comeback.js';
import type { SoftJudge } from '../../../records/writes/unit.parts.js';
import type { NameTable } from '../../../wire/name.table.js';
import { InvalidInput } from '../../../wire/refusals.js';
import { StoredValues } from '../stored.values.js';

/** Judges if a deleted record may be live again: its values may be another one's by now, and its parents may be deleted. */
export class RestoreJudge implements SoftJudge<EndpointRequest> {
  /** The columns of which live records have different values. */
  readonly uniques: readonly Column[];
  readonly #parents: readonly Column[];
  readonly #store: RecordStore;
  readonly #names: NameTable;
  readonly #stored: StoredValues;
  /** The properties that have the request's own values: clients know nothing of them. */
  readonly #own: ReadonlySet<EntityProperty>;

  constructor(context: KindContext, model: Model) {
    this.#store = context.store(model);
    this.#names = context.names;
    this.#own = new Set(context.ownColumns(model).map(({ column }) => column.property));
    const columns = [...model.columns.values()];
    this.uniques = columns.filter(
      ({ validators, property }) =>
        property.primary !== true && validators.some((one) => one instanceof Unique),
    );
    this.#parents = columns.filter((column) => column.type.storage === 'scalar' && model.parentOf(column));
    const sets = model.uniqueSets.flat();
    const asked = [...new Set([...this.uniques, ...this.#parents, ...sets])];
    const { platform } = context.database.dialect;
    this.#stored = new StoredValues(this.#store, platform, asked, model.idPath);
  }

  async judge({ session }: EndpointRequest, id: string | number, comeback: Comeback): Promise<ColumnValues> {
    const complaints = new Map<string, string>();
    const values = await this.#stored.of(session, id);
    for (const column of this.uniques) {
      const value = values.get(column) ?? null;
      const isTaken = value !== null && (await this.#store.questions(session, column, id).isTaken(value));
      if (isTaken) this.#complain(complaints, column, uniqueMessage);
    }
    const keys = new Map(this.#parents.map((column) => [column.property, values.get(column)]));
    const keyOf = (property: EntityProperty): unknown => keys.get(property);
    const orphaned = await this.#store.relatives?.orphanedBy(session, keyOf, comeback);
    for (const column of this.#parents)
      if (orphaned?.includes(column.property) === true)
        this.#complain(complaints, column, () => parentMissingMessage);
    if (complaints.size > 0) throw new InvalidInput(complaints);
    return values;
  }

  /** The error to throw for one of a Restore. */
  async explain(error: unknown, { session }: EndpointRequest, values: ColumnValues): Promise<unknown> {
    const refusal = this.#store.refusalOf(error);
    const found = await refusal?.complaintIn(session, values);
    // A value that is unique within a tenant is blamed, and not the tenant.
    const column = found?.columns.find(({ property }) => !this.#own.has(property)) ?? found?.columns[0];
    if (found === undefined || column === undefined) return error;
    const complaints = new Map<string, string>();
    this.#complain(complaints, column, found.complaint);
    return new InvalidInput(complaints);
  }

  #complain(complaints: Map<string, string>, { name }: Column, message: (name: string) => string): void {
    const outward = this.#names.outward(name);
    complaints.set(outward, message(outward));
  }
}
