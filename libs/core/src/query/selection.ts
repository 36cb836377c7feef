import type { ColumnPath, Model, Relation } from '../model/model.js';
import { UnreadableColumn } from '../model/columns/unreadable.column.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { SelectedColumn, SelectedParent, Selection } from './query.plan.js';

interface OpenParent {
  readonly name: string;
  /** Undefined for an embeddable, whose columns are the owner's. */
  readonly relation: Relation | undefined;
  readonly paths: string[];
}

/**
 * What `readableColumnNames` shows: columns, paths gathered into nested objects, and relations by their bare name
 * with the parent columns that were named for them.
 */
export function selectionOf(owner: string, root: Model, names: readonly string[]): Selection {
  return nested(owner, root, root, names, '');
}

function nested(
  owner: string,
  root: Model,
  model: Model,
  names: readonly string[],
  prefix: string,
): Selection {
  const parents = new Map<string, OpenParent>();
  const order: (string | OpenParent)[] = [];
  for (const name of names) {
    const [head = '', ...rest] = name.split('.');
    const relation = model.relations.get(head);
    if (relation === undefined && rest.length === 0) order.push(name);
    else {
      const open = parents.get(head) ?? { name: head, relation, paths: [] };
      if (!parents.has(head)) order.push(open);
      parents.set(head, open);
      open.paths.push(...(relation === undefined ? [rest.join('.')] : parentPaths(owner, relation, name)));
    }
  }
  return order.map((entry) =>
    typeof entry === 'string'
      ? selectedColumn(owner, root, prefix, entry)
      : selectedParent(owner, root, prefix, entry),
  );
}

function parentPaths(owner: string, relation: Relation, name: string): readonly string[] {
  if (name !== relation.name) return [name.slice(relation.name.length + 1)];
  if (relation.readableParentColumnNames.length > 0) return relation.readableParentColumnNames;
  throw new ConfigurationError(
    owner,
    'readableColumnNames',
    `'${name}' is a relation: name its columns ('${name}.${relation.target().idColumn.name}') or give it readableParentColumnNames`,
  );
}

function selectedParent(
  owner: string,
  root: Model,
  prefix: string,
  { name, relation, paths }: OpenParent,
): SelectedParent {
  const path = `${prefix}${name}.`;
  const distinct = [...new Set(paths)];
  if (relation === undefined) {
    const members = distinct.map((member) => selectedColumn(owner, root, path, member));
    return { kind: 'parent', name, presence: undefined, members };
  }
  const target = relation.target();
  const presence = known(owner, root, `${path}${target.idColumn.name}`, 'readableColumnNames');
  return { kind: 'parent', name, presence, members: nested(owner, root, target, distinct, path) };
}

function selectedColumn(owner: string, root: Model, prefix: string, name: string): SelectedColumn {
  return { kind: 'column', name, path: visible(owner, root, `${prefix}${name}`, 'readableColumnNames') };
}

/** The column behind a name of the configuration. @throws ConfigurationError when there is none that can be read */
export function known(owner: string, model: Model, name: string, option: string): ColumnPath {
  const path = model.path(name);
  const type = path?.column.type;
  if (type instanceof UnreadableColumn)
    throw new ConfigurationError(
      owner,
      option,
      `'${name}' holds ${type.databaseType}, which no column type reads: name one with defineColumns`,
    );
  if (path !== undefined) return path;
  throw new ConfigurationError(
    owner,
    option,
    `unknown column '${name}'; allowed: ${model.columnNames().join(', ')}`,
  );
}

/** {@link known}, for columns that clients see, sort or search by: a `hidden` property is none of them. */
export function visible(owner: string, model: Model, name: string, option: string): ColumnPath {
  const path = known(owner, model, name, option);
  const properties = [...path.relations, path.column].map(({ property }) => property);
  if (!properties.some(({ hidden }) => hidden === true)) return path;
  throw new ConfigurationError(owner, option, `'${name}' is hidden in the entity and cannot be used here`);
}
