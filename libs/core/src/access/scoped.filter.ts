import type { QueryBuilder } from '@mikro-orm/sql';
import { plainEnd, platformOf } from '../database/query.column.js';
import { RestrictionFilter } from '../database/restriction.filter.js';
import { Dialect } from '../sql/dialect.js';
import { ScopedEntity } from './scoped.entity.js';

/** The values that a column at the end of a path has in the records of a rule. */
interface ScopedPath {
  /** The rule, as error messages call it. */
  readonly owner: string;
  /** The properties from the entity of the query to the column. */
  readonly path: readonly string[];
  /** A text, number or boolean, or a list of these. */
  readonly value: unknown;
  /** True if the value must be of the column's own type, as that of a sticky scope. Default false. */
  readonly isSticky?: boolean;
}

/**
 * Gives a filter object of MikroORM for a query of a rule: it compares as the scope of the rule does, to the last letter, and with
 * values alone that the column can have.
 *
 * @throws NotAuthorized for a value that the column cannot have
 */
export function scopedFilter(
  query: QueryBuilder<object>,
  { owner, path, value, isSticky = false }: ScopedPath,
): object {
  const end = plainEnd(query.mainAlias.meta, path);
  // What is kept in another way MikroORM alone compares.
  if (end === undefined) return nested(path, { $in: [value].flat() });
  const dialect = new Dialect(platformOf(query));
  const { propertyName, meta, relations } = end;
  const scope = { conditions: [{ propertyName, value: () => value }], isSticky };
  const conditions = new ScopedEntity(owner, meta, scope, dialect).with([value]);
  return nested(relations, { $and: new RestrictionFilter(dialect).plain(conditions) });
}

function nested(path: readonly string[], condition: object): object {
  return path.reduceRight((inner, name) => ({ [name]: inner }), condition);
}
