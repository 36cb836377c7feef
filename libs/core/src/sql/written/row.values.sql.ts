import type { EntityProperty } from '@mikro-orm/core';
import { storedField } from '../../metadata/stored.fields.js';
import type { Column } from '../../model/column.js';
import { writeComparison } from '../comparison.js';
import type { Scope } from '../scope.js';
import type { StatementInputs } from '../statement.js';
import { comparedAs } from './compared.type.js';
import type { ChangedColumn, ChangedRow } from './written.record.js';

/** The values that a part of a statement writes. */
export type RowOf = (inputs: StatementInputs) => StatementInputs['row'];

/** Writes the values that a row gets, and the test that it has others so far. */
export class RowValuesSql {
  constructor(private readonly scope: Scope) {}

  /** The members of `set`: new values, those that change with them, and the version. */
  assignments({ changed, along, counted }: ChangedRow, of?: RowOf): string {
    const assigned = changed.map((one) => this.#assigned(one, of));
    const filled = along.map((property) => `${this.name(property)} = ${this.value(property, of)}`);
    const versions = (counted === undefined ? [] : [counted]).map(
      (property) => `${this.name(property)} = ${this.field(property)} + 1`,
    );
    return [...assigned, ...filled, ...versions].join(', ');
  }

  /** The test that the row has other values so far. */
  difference({ changed }: ChangedRow, of?: RowOf): string {
    return `(${changed.map((one) => this.#differs(one, of)).join(' or ')})`;
  }

  name(property: EntityProperty): string {
    return this.scope.draft.writer.dialect.quote(storedField(property));
  }

  field(property: EntityProperty): string {
    return this.scope.draft.tables.field(this.scope.alias, property);
  }

  /** @param of the row that has the value; left out the one that is written */
  value(property: EntityProperty, of?: RowOf): string {
    const { writer } = this.scope.draft;
    if (of === undefined) return writer.written(property);
    return writer.parameter((inputs) => of(inputs)?.get(property));
  }

  /** An instant that is sent back as it was written keeps the finer digits that the database has. */
  #assigned({ column, isNull }: ChangedColumn, of?: RowOf): string {
    const { property, type } = column;
    const name = this.name(property);
    if (isNull) return `${name} = null`;
    if (type.equalityWidth === 0) return `${name} = ${this.value(property, of)}`;
    // In the order of the text: not every database numbers its parameters.
    const alike = this.#alike(column);
    return `${name} = case when ${alike} then ${this.field(property)} else ${this.value(property, of)} end`;
  }

  #differs({ column, isNull }: ChangedColumn, of?: RowOf): string {
    const { property, type: columnType } = column;
    const field = this.field(property);
    if (isNull) return `${field} is not null`;
    if (columnType.equalityWidth > 0) return `(${this.#alike(column)}) is not true`;
    const value = this.value(property, of);
    const { dialect } = this.scope.draft.writer;
    if (!dialect.hasCatalogue) return dialect.differs(field, value, property);
    const [type, casts] = comparedAs(property);
    return dialect.differs(
      `${field}${casts}`,
      `${type === undefined ? value : `(${value}::${type})`}${casts}`,
      property,
    );
  }

  /** Writes the test that the record has an instant which is written like the new one. */
  #alike(column: Column): string {
    return this.scope.draft.writer.apart((writer) => {
      const comparison = { column, comparison: '=', isExact: false, listLength: 0 } as const;
      writeComparison(writer, this.field(column.property), {
        ...comparison,
        value: ({ sent }) => sent?.get(column),
      });
    });
  }
}
