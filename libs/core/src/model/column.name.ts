import type { Collection, PrimaryKeyProp } from '@mikro-orm/core';

/** The type of an entity property without MikroORM's wrappers. */
type Unwrapped<T> =
  NonNullable<T> extends { unwrap(): infer E }
    ? E
    : NonNullable<T> extends Collection<infer E>
      ? E
      : NonNullable<T>;

type Scalar =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | Date
  | Uint8Array
  | readonly unknown[]
  | ((...parameters: never[]) => unknown);

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The last name of a key of several properties, by which clients know a record; any of them where types have no order. */
type LastOf<K> = K extends readonly [...unknown[], infer Last]
  ? Last
  : K extends readonly (infer Name)[]
    ? Name
    : K;

/** The name of an entity's key: what `[PrimaryKeyProp]` says, else the customary ones. */
export type KeyNameOf<E> = E extends { [PrimaryKeyProp]?: infer K }
  ? Extract<LastOf<K>, string>
  : Extract<keyof E, 'id' | '_id' | 'uuid'>;

type IsRelation<T> =
  IsAny<T> extends true ? false : T extends Scalar ? false : T extends object ? true : false;

type IsCollection<T> =
  IsAny<T> extends true ? false : NonNullable<T> extends Collection<infer _E> ? true : false;

/** `companyId` and `company_id`: internal names may be in either casing. */
type Joined<Name extends string, Key extends string> = `${Name}${Capitalize<Key>}` | `${Name}_${Key}`;

type Singular<Name extends string> = Name extends `${infer Stem}ies`
  ? `${Stem}y`
  : Name extends `${infer Stem}s`
    ? Stem
    : Name;

/** The column that a relation adds: `company` → `companyId`; a many-to-many one `tags` → `tagIds`. */
type KeyColumnOf<Name extends string, Property> =
  IsCollection<Property> extends true
    ? Joined<Singular<Name>, `${KeyNameOf<Unwrapped<Property>>}s`>
    : Joined<Name, KeyNameOf<Unwrapped<Property>>>;

/**
 * The key under which an entity's type tells the names of columns that are no properties of it.
 *
 * @example
 * class Article { [VirtualColumns]?: 'text'; … }
 * defineColumns(Article, { text: { type: new FullTextColumn({ of: 'title', configuration: 'english' }) } });
 */
export const VirtualColumns: unique symbol = Symbol('VirtualColumns');

type VirtualNames<E> = E extends { [VirtualColumns]?: infer Names } ? Extract<Names, string> : never;

type OwnColumns<E> = VirtualNames<E> | PropertyColumns<E>;

type PropertyColumns<E> = {
  [K in keyof E & string]: NonNullable<E[K]> extends (...parameters: never[]) => unknown
    ? never
    : IsRelation<Unwrapped<E[K]>> extends true
      ? K | KeyColumnOf<K, E[K]>
      : K;
}[keyof E & string];

type PathsUpTo<E, Depth extends readonly unknown[]> = Depth extends readonly [unknown, ...infer Rest]
  ? | OwnColumns<E>
    | {
        [K in keyof E & string]: IsRelation<Unwrapped<E[K]>> extends true
          ? `${K}.${PathsUpTo<Unwrapped<E[K]>, Rest>}`
          : never;
      }[keyof E & string]
  : never;

/** The names of an entity's own columns, relations included. */
export type ColumnNameOf<E> = IsAny<E> extends true ? string : OwnColumns<E>;

/** The names of members of an entity's Json columns, `attributes.color`. The start finds out if there is such a column. */
export type JsonMemberNameOf<E> = `${keyof E & string}.${string}`;

/**
 * The names of an entity's columns and of those of related entities, `company.name`, three levels deep. Deeper paths
 * are checked when the application starts; say `'a.b.c.d.e' as ColumnPathOf<E>`.
 */
export type ColumnPathOf<E> = IsAny<E> extends true ? string : PathsUpTo<E, [1, 2, 3, 4]>;

type ParentsUpTo<E, Depth extends readonly unknown[]> = Depth extends readonly [unknown, ...infer Rest]
  ? {
      [K in keyof E & string]: IsCollection<E[K]> extends true
        ? never
        : IsRelation<Unwrapped<E[K]>> extends true
          ? K | `${K}.${ParentsUpTo<Unwrapped<E[K]>, Rest>}`
          : never;
    }[keyof E & string]
  : never;

/**
 * The names of an entity's relations to parents, and the ways to theirs, `comment.ticket`, four levels deep. Deeper ones are
 * checked when the application starts; say `'a.b.c.d.e' as ParentPathOf<E>`.
 */
export type ParentPathOf<E> = IsAny<E> extends true ? string : ParentsUpTo<E, [1, 2, 3, 4]>;

/**
 * Columns of an entity under a name that keeps compiler messages short: `ColumnOf<"City", "id" | "name">`. `_Entity` is
 * only printed: a name, or a class.
 */
export type ColumnOf<_Entity, Columns extends string> = { [Name in Columns]: Name }[Columns];

/** The name of an entity in messages: its name where its type has one, else its class. */
export type Called<Entity, E> = string extends Entity ? E : Entity;

/** The columns of an entity, as the options of the kinds name them; see {@link ColumnOf}. */
export interface ColumnsOf<Entity, E> {
  /** The columns of {@link ColumnNameOf}. */
  readonly own: ColumnOf<Called<Entity, E>, BareColumns<E>['own']>;
  /** The paths of {@link ColumnPathOf}. */
  readonly paths: ColumnOf<Called<Entity, E>, BareColumns<E>['paths']>;
  /** The ways of {@link ParentPathOf}. */
  readonly parents: ColumnOf<Called<Entity, E>, BareColumns<E>['parents']>;
}

/** The columns without names: members of an interface have no alias that messages would print. */
export interface BareColumns<E> {
  readonly own: { [Name in ColumnNameOf<E>]: Name }[ColumnNameOf<E>];
  readonly paths: { [Name in ColumnPathOf<E>]: Name }[ColumnPathOf<E>];
  readonly parents: { [Name in ParentPathOf<E>]: Name }[ParentPathOf<E>];
}
