import type { EntityName } from '@mikro-orm/core';

/**
 * The places where MikroORM's types keep the name of an entity: on a class that extends its schema's, and on the schema's
 * class.
 */
export interface Named<Entity> {
  readonly '~entityName'?: Entity;
  readonly class?: { readonly '~entityName'?: Entity } | object;
}

/** The names of options, in members of an interface: those have no alias that compiler messages would print. */
export interface NamesOf<Options> {
  readonly all: { [Name in keyof Options & string]: Name }[keyof Options & string];
  readonly required: {
    [Name in keyof Options & string]-?: object extends Pick<Options, Name> ? never : Name;
  }[keyof Options & string];
}

/** The options that must be there; `_Entity` is only printed, where a `Record` would print itself. */
type RequiredOf<_Entity, Names extends string> = { readonly [Name in Names as Name]: unknown };

/**
 * Options of a kind as its constructor takes them. The parts before `Options` are for compiler messages: they name the
 * entity and the options first and leave out what the entity is made of: `OptionsOf<"City", "url" | "requestMethods" |
 * …>`. `modelClass` tells the entity whatever is wrong with other options.
 */
export type OptionsOf<Entity, _Names, Required extends string, Options, E extends object> = RequiredOf<
  Entity,
  Required
> &
  Options & { readonly modelClass: EntityName<E> | Named<Entity> };
