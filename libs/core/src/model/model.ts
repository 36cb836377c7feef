import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { isUnique } from './metadata/suggested.column.js';
import type { Column } from './column.js';

/** A to-one relation of a model (the contract's BelongsToModel). */
export interface Relation {
  readonly name: string;
  readonly property: EntityProperty;
  /** The parent's model; a function, because models may refer to each other in a circle. */
  readonly target: () => Model;
  /** The parent's columns that the relation's bare name shows. */
  readonly readableParentColumnNames: readonly string[];
}

/** A column, and the to-one relations that lead to it from the model the path starts at. */
export interface ColumnPath {
  /** The path as it was written, internal names, e.g. `city.country.name`. */
  readonly text: string;
  readonly relations: readonly Relation[];
  readonly column: Column;
}

/** A named record type with typed columns (contract: Model and column concepts), read from MikroORM's metadata. */
export class Model {
  constructor(
    readonly meta: EntityMetadata,
    readonly columns: ReadonlyMap<string, Column>,
    readonly relations: ReadonlyMap<string, Relation>,
    readonly idColumn: Column,
    private readonly parents: ReadonlyMap<string, () => Model>,
  ) {}

  /** The model whose keys a BelongsToId column holds; undefined for other columns. */
  parentOf({ name }: Column): Model | undefined {
    return this.parents.get(name)?.();
  }

  /** Whether the database keeps two records from having one value in this column. */
  isUnique({ property }: Column): boolean {
    return isUnique(this.meta, property);
  }

  /** The unique constraints over several columns, with their names in the database where metadata has them. */
  get compositeUniques(): readonly {
    readonly name: string | undefined;
    readonly columns: readonly Column[];
  }[] {
    const columns = [...this.columns.values()];
    return this.meta.uniques
      .map(({ name, properties }) => {
        const names = [properties ?? []].flat().map(String);
        return {
          name,
          columns: names.flatMap((property) => columns.filter((column) => column.property.name === property)),
        };
      })
      .filter((unique) => unique.columns.length > 1);
  }

  /** The names that options may use: own columns, relations, and one level of their columns. For error messages. */
  columnNames(): string[] {
    const nested = [...this.relations.values()].flatMap((relation) =>
      [...relation.target().columns.keys()].map((name) => `${relation.name}.${name}`),
    );
    return [...this.columns.keys(), ...nested];
  }

  /** The column that an internal name or relation path leads to; undefined when there is none. */
  path(text: string): ColumnPath | undefined {
    const own = this.columns.get(text);
    if (own !== undefined) return { text, relations: [], column: own };
    const dot = text.indexOf('.');
    const relation = dot === -1 ? undefined : this.relations.get(text.slice(0, dot));
    const rest = relation?.target().path(text.slice(dot + 1));
    if (relation === undefined || rest === undefined) return undefined;
    return { text, relations: [relation, ...rest.relations], column: rest.column };
  }

  /** The same model with other definitions of some columns, for one endpoint. */
  with(columns: ReadonlyMap<string, Column>, relations: ReadonlyMap<string, Relation>): Model {
    return new Model(
      this.meta,
      new Map([...this.columns, ...columns]),
      new Map([...this.relations, ...relations]),
      columns.get(this.idColumn.name) ?? this.idColumn,
      this.parents,
    );
  }
}
