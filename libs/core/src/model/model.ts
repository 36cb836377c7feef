import { didYouMean } from '../options/nearest.name.js';
import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { isOfLive } from './soft/soft.entity.js';
import { uniquesOf } from './soft/unset.mark.js';
import { isUnique } from './unique.property.js';
import type { Column } from './column.js';
import { DatetimeColumn } from './columns/datetime.column.js';

/** A relation of a model: BelongsToModel and HasOne lead to one record, HasMany and ManyToManyModels to many. */
export interface Relation {
  readonly name: string;
  readonly owner: EntityMetadata;
  readonly property: EntityProperty;
  /** The related records' model; a function, because models may refer to each other in a circle. */
  readonly target: () => Model;
  readonly isToMany: boolean;
  /** The entity of the rows between two sides of a many-to-many relation, where it is one of the user's. */
  readonly between?: EntityMetadata | undefined;
  /** The related records' columns that the relation's bare name shows. */
  readonly readableParentColumnNames: readonly string[];
  /** The display of a to-many relation: the limit of records (0: all), and their order. */
  readonly list: RelatedList;
}

/** The order of related records is by internal names; an empty one leaves it to their ids. */
export interface RelatedList {
  readonly limit: number;
  readonly sorts: readonly { readonly columnName: string; readonly direction: 'asc' | 'desc' }[];
  /**
   * The reason why the entity's own order of the records cannot be kept. Undefined where it can, and where another order
   * was named.
   */
  readonly problem?: string | undefined;
}

/** A column, and the relations that lead to it from the model the path starts at. */
export interface ColumnPath {
  /** The path as it was written, internal names, e.g. `city.country.name`. */
  readonly text: string;
  readonly relations: readonly Relation[];
  readonly column: Column;
}

interface ModelMembers {
  readonly columns: ReadonlyMap<string, Column>;
  readonly relations: ReadonlyMap<string, Relation>;
  /** The models whose keys columns hold. */
  readonly parents: ReadonlyMap<string, () => Model>;
  /** The reasons why properties of the entity are no column or relation, for whoever names them. */
  readonly unserved: ReadonlyMap<string, string>;
}

/** The type of keys that are instants: as fine as entities have them. */
const fineInstant = new DatetimeColumn({ precision: 'milliseconds' });

/** The column of keys: equality of a record's own key is as fine as the key, whatever is written of it. */
function exactKey(column: Column): Column {
  const isWide = column.conversion === undefined && column.type.equalityWidth > fineInstant.equalityWidth;
  return isWide ? { ...column, type: fineInstant } : column;
}

/** A named record type with typed columns (contract: Model and column concepts), read from MikroORM's metadata. */
export class Model {
  /** The path of the id column, whose values are keys here: instants that a client cannot tell apart are two all the same. */
  readonly idPath: ColumnPath;

  constructor(
    readonly meta: EntityMetadata,
    private readonly members: ModelMembers,
    readonly idColumn: Column,
  ) {
    this.idPath = { text: idColumn.name, relations: [], column: exactKey(idColumn) };
  }

  get columns(): ReadonlyMap<string, Column> {
    return this.members.columns;
  }

  get relations(): ReadonlyMap<string, Relation> {
    return this.members.relations;
  }

  /** The model whose keys a BelongsToId or ManyToManyIds column holds; undefined for other columns. */
  parentOf({ name }: Column): Model | undefined {
    return this.members.parents.get(name)?.();
  }

  /**
   * True if the database refuses two records with one value in this column.
   *
   * @param within the properties that have one value in all records that are meant. Default none
   */
  isUnique({ property }: Column, within: readonly EntityProperty[] = []): boolean {
    return isUnique(this.meta, property, within);
  }

  /** The unique constraints over several columns, with their names in the database where metadata has them. */
  get compositeUniques(): readonly {
    readonly name: string | undefined;
    readonly columns: readonly Column[];
  }[] {
    const columns = [...this.columns.values()];
    return uniquesOf(this.meta)
      .map(({ name, properties }) => {
        const names = [properties ?? []].flat().map(String);
        return {
          name,
          columns: names.flatMap((property) =>
            columns.filter((column) => column.property.name === property && column.member === undefined),
          ),
        };
      })
      .filter((unique) => unique.columns.length > 1);
  }

  /**
   * The sets of columns of which the database refuses two records with the same values, whatever else they have: all of them
   * are columns without null. A unique index of live records alone is one, too.
   */
  get uniqueSets(): readonly (readonly Column[])[] {
    const columns = [...this.columns.values()].filter(
      ({ type, member }) => type.storage === 'scalar' && member === undefined,
    );
    const single = this.meta.props
      .filter(({ primary, unique }) => primary !== true && unique !== undefined && unique !== false)
      .map(({ name }) => [name]);
    const together = uniquesOf(this.meta)
      .filter(({ where, expression, deferMode, disabled }) => {
        const isOfAll = where === undefined || isOfLive(this.meta, where);
        return isOfAll && expression === undefined && deferMode === undefined && disabled !== true;
      })
      .map(({ properties }) => [...new Set([properties ?? []].flat().map(String))]);
    const sets = [this.meta.primaryKeys, ...single, ...together].map((names: readonly string[]) => {
      return names.map((name) => columns.find(({ property }) => property.name === name));
    });
    return sets.filter(
      (set): set is Column[] => set.length > 0 && set.every((one) => one?.nullable === false),
    );
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

  /** Gives the reason why {@link path} leads nowhere, for error messages: what is in the way, or which names there are. */
  problemOf(text: string): string {
    const reason = this.#unservedAt(text.split('.'));
    if (reason !== undefined) return `'${text}': ${reason}`;
    const names = this.columnNames();
    return `unknown column '${text}'${didYouMean(text, names)}; allowed: ${names.join(', ')}`;
  }

  /**
   * Gives the reason why a property of the entity is no column or relation; undefined for those that are, and for unknown
   * names.
   */
  unservedReason(name: string): string | undefined {
    return this.members.unserved.get(name);
  }

  #unservedAt([head = '', ...rest]: readonly string[]): string | undefined {
    const reason = this.unservedReason(head);
    const target = rest.length === 0 ? undefined : this.relations.get(head)?.target();
    return reason ?? (target === undefined ? undefined : target.#unservedAt(rest));
  }

  /** Gives the model with other definitions of some columns, for one endpoint. */
  with(columns: ReadonlyMap<string, Column>, relations: ReadonlyMap<string, Relation>): Model {
    const members = {
      ...this.members,
      columns: new Map([...this.columns, ...columns]),
      relations: new Map([...this.relations, ...relations]),
    };
    return new Model(this.meta, members, columns.get(this.idColumn.name) ?? this.idColumn);
  }
}
