import { ReferenceKind, type EntityProperty } from '@mikro-orm/core';
import type { Model, Relation } from '../model/model.js';
import { Scope, type Draft } from './scope.js';

/** The related records of a to-many relation, and the column by which they belong to their owner. */
export class RelatedScope extends Scope {
  readonly #relation: Relation;
  /** The alias of the table between two sides of a many-to-many relation. */
  readonly #pivot: string | undefined;

  constructor(draft: Draft, relation: Relation) {
    super(draft, relation.target(), true);
    this.#relation = relation;
    this.#pivot = isManyToMany(relation) ? draft.writer.alias() : undefined;
  }

  get #property(): EntityProperty {
    return this.#relation.property;
  }

  /** The column of the table between two sides that keeps the order of the records; undefined where there is none. */
  get position(): string | undefined {
    const { fixedOrder, fixedOrderColumn } = this.#property;
    if (this.#pivot === undefined || fixedOrder !== true) return undefined;
    return this.draft.tables.column(this.#pivot, fixedOrderColumn);
  }

  /** The key of the owner, as the related side stores it. */
  get ownerKey(): string {
    const { tables } = this.draft;
    if (this.#pivot !== undefined) return tables.column(this.#pivot, this.#property.joinColumns.at(-1));
    return tables.field(this.alias, tables.owningSide(this.#property));
  }

  /** The condition that the records belong to an owner. */
  ownedBy(alias: string, owner: Model): string {
    const { tables } = this.draft;
    const key = `${this.ownerKey} = ${tables.field(alias, owner.idColumn.property)}`;
    const { joinColumns } = this.#property;
    const parted =
      this.#pivot === undefined
        ? tables.parted(alias, this.alias, tables.owningSide(this.#property))
        : tables.partedBy(alias, owner.meta, this.#pivot, joinColumns);
    return [key, ...parted].join(' and ');
  }

  writeFrom(): void {
    const { writer, tables } = this.draft;
    writer.write(` from ${this.table}`);
    if (this.#pivot !== undefined) {
      const pivot = `${tables.pivot(this.#property)} as ${writer.dialect.quote(this.#pivot)}`;
      const { inverseJoinColumns } = this.#property;
      const theirKey = tables.column(this.#pivot, inverseJoinColumns.at(-1));
      const parted = tables.partedBy(this.alias, this.model.meta, this.#pivot, inverseJoinColumns);
      writer.write(` inner join ${pivot} on ${[`${theirKey} = ${this.key}`, ...parted].join(' and ')}`);
    }
    this.writeJoins();
  }

  /**
   * Writes what holds for every record of the list: that the relation leads to it, that the row between the two is one to see,
   * and what holds for all of the model.
   */
  writeMembers(): void {
    const { between } = this.#relation;
    this.writeRelated(this.#relation, this.keys);
    this.writeLimits(' and ');
    if (between !== undefined && this.#pivot !== undefined)
      this.restrict(between, { alias: this.#pivot, isReferred: true }, ' and ');
  }
}

function isManyToMany({ property }: Relation): boolean {
  return property.kind === ReferenceKind.MANY_TO_MANY;
}
