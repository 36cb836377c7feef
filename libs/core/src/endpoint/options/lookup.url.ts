import type { Called, ColumnNameOf, KeyNameOf } from '../../model/column.name.js';
import type { PathParameterNames } from '../request/callable.context.js';

/** A url with the parameter by which records are looked up; `_Entity` is only printed. */
type UrlWithParameter<_Entity, Name extends string> =
  `${string}:${Name}${string}` | `${string}{${Name}}${string}`;

/**
 * The url of a kind that looks a record up. If it has parameters, one is that of the lookup column. A url without any is
 * checked at the start, because groups may have the parameter. So is one that is not literal, or whose lookup column is
 * not.
 */
export type LookupUrl<Entity, E, Url extends string, Lookup extends string> = string extends Url
  ? Url
  : [PathParameterNames<Url>] extends [never]
    ? Url
    : [Lookup] extends [never]
      ? UrlFor<Entity, E, Url, KeyNameOf<E>>
      : [ColumnNameOf<E>] extends [Lookup]
        ? Url
        : UrlFor<Entity, E, Url, Lookup>;

type UrlFor<Entity, E, Url extends string, Key extends string> = [Key] extends [never]
  ? Url
  : [Extract<PathParameterNames<Url>, Key>] extends [never]
    ? UrlWithParameter<Called<Entity, E>, Key>
    : Url;
