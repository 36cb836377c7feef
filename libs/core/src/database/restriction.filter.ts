import { raw, type EntityMetadata } from '@mikro-orm/core';
import { storedFields } from '../metadata/stored.fields.js';
import type { Dialect } from '../sql/dialect.js';
import type { ExactText } from '../sql/dialects/exact.text.js';
import { ofSubject, type PlainCondition, type Restriction } from '../sql/restriction.js';
import { comparedWith } from './plain.filter.js';

/** Writes restrictions as filter objects of MikroORM. Values are as they are stored, which MikroORM must not convert. */
export class RestrictionFilter {
  constructor(private readonly dialect: Dialect) {}

  /** The filter objects that together say the same as a restriction. */
  of(meta: EntityMetadata, { conditions, keys, groups }: Restriction): readonly object[] {
    const filters = [...this.plain(conditions)];
    if (keys !== undefined)
      filters.push(sqlCondition((alias) => `${this.#key(meta, alias)} in (${keys.sql})`, keys.parameters));
    for (const group of groups) filters.push(this.#any(meta, group));
    return filters;
  }

  /** The filter objects of plain conditions, as far as they are about the records that are looked for. */
  plain(conditions: readonly PlainCondition[]): readonly object[] {
    return ofSubject(conditions).flatMap((condition) => {
      const [field = ''] = storedFields(condition.property);
      const column = raw((alias) => this.#column(alias, field));
      const compared = { [column as never]: comparedWith(condition) };
      return condition.exact === undefined ? [compared] : [compared, this.#exact(condition, condition.exact)];
    });
  }

  /** A filter object that compares texts to the last letter. */
  #exact({ property, value }: PlainCondition, exact: ExactText): object {
    const [field = ''] = storedFields(property);
    const values = [value].flat();
    const places = values.map(() => exact.value('?')).join(', ');
    return sqlCondition((alias) => `${exact.field(this.#column(alias, field))} in (${places})`, values);
  }

  /** A filter object that one restriction of a choice is enough for. Where none is left, no record meets it. */
  #any(meta: EntityMetadata, group: readonly Restriction[]): object {
    const members = group.map((one) => this.of(meta, one));
    if (members.some(({ length }) => length === 0)) return sqlCondition(() => '1 = 1');
    if (members.length === 0) return sqlCondition(() => '1 = 0');
    return { $or: members.map((filters) => ({ $and: filters })) };
  }

  #key(meta: EntityMetadata, alias: string): string {
    const fields = meta.getPrimaryProps().flatMap(({ fieldNames }) => fieldNames);
    const columns = fields.map((field) => this.#column(alias, field));
    return columns.length === 1 ? columns.join() : `(${columns.join(', ')})`;
  }

  #column(alias: string, field: string): string {
    return `${this.dialect.quote(alias)}.${this.dialect.quote(field)}`;
  }
}

/** A condition in SQL; MikroORM knows it by its key. */
function sqlCondition(sql: (alias: string) => string, parameters: readonly unknown[] = []): object {
  const condition = raw(sql, [...parameters]);
  return { [condition as never]: [] };
}
