import type { ParentRule } from '../access/parent.rule.js';
import type { ColumnPath, Model } from '../model/model.js';
import { ConfigurationError } from '../wire/configuration.error.js';

/** A parent that a path names: the parameter, and the column of the innermost parent's model that it is a value of. */
export interface NamedParent {
  readonly parameter: string;
  readonly path: ColumnPath;
}

/** The parents that the path of a nested resource names. */
export interface NamedParents {
  /** The model of the innermost one. */
  readonly model: Model;
  /** All of them, from the innermost outwards. */
  readonly all: readonly NamedParent[];
}

/** @throws ConfigurationError where a parent is none that can be looked up */
export function namedParents(owner: string, rule: ParentRule, own: Model): NamedParents {
  const levels = rule.levelsOf(own.meta);
  const [nearest] = levels;
  const column = [...own.columns.values()].find(
    ({ property, type }) => property === nearest.relation && type.storage === 'scalar',
  );
  const model = column === undefined ? undefined : own.parentOf(column);
  if (model === undefined)
    throw new ConfigurationError(owner, 'parent', 'the key of the parent is no column of the entity');
  const all = levels.map(({ parameter }, index) => {
    const relations = levels.slice(1, index + 1).map(({ relation }) => relation.name);
    return { parameter, path: pathOf(owner, model, relations) };
  });
  return { model, all };
}

/** The path from the innermost parent to the key of one further out. */
function pathOf(owner: string, parent: Model, relations: readonly string[]): ColumnPath {
  let model = parent;
  for (const name of relations) {
    const relation = model.relations.get(name);
    if (relation === undefined) throw new ConfigurationError(owner, 'parent', model.problemOf(name));
    model = relation.target();
  }
  const text = [...relations, model.idColumn.name].join('.');
  const path = parent.path(text);
  if (path === undefined) throw new ConfigurationError(owner, 'parent', parent.problemOf(text));
  return path;
}
