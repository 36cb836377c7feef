import { isSortable } from '../model/column.js';
import type { ColumnPath, Model, Relation } from '../model/model.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { SelectedColumn, SelectedList, SelectedParent, Selection } from './query.plan.js';

interface OpenRelation {
  readonly name: string;
  /** Undefined for an embeddable, whose columns are the owner's. */
  readonly relation: Relation | undefined;
  readonly paths: string[];
}

/** The place in a selection: where it starts, and how far down it is. */
interface Position {
  readonly owner: string;
  /** The option that names the columns. */
  readonly option: string;
  readonly root: Model;
  /** The model whose columns are selected, and the path from the root to it, `country.`. */
  readonly model: Model;
  readonly prefix: string;
}

/**
 * Makes the selection of `readableColumnNames`: columns, paths gathered into nested objects or lists, and relations by
 * their bare name with the columns that were named for them.
 *
 * @param option the one that names them, for error messages
 */
export function selectionOf(
  owner: string,
  root: Model,
  names: readonly string[],
  option = 'readableColumnNames',
): Selection {
  return nested({ owner, option, root, model: root, prefix: '' }, names);
}

function nested(position: Position, names: readonly string[]): Selection {
  const { model } = position;
  const relations = new Map<string, OpenRelation>();
  const order: (string | OpenRelation)[] = [];
  for (const name of names) {
    const [head = '', ...rest] = name.split('.');
    const relation = model.relations.get(head);
    if (relation === undefined && rest.length === 0) order.push(name);
    else {
      const open = relations.get(head) ?? { name: head, relation, paths: [] };
      if (!relations.has(head)) order.push(open);
      relations.set(head, open);
      open.paths.push(
        ...(relation === undefined ? [rest.join('.')] : relatedPaths(position, relation, name)),
      );
    }
  }
  const whole = order.find((entry) => typeof entry === 'string' && relations.has(entry));
  if (typeof whole === 'string')
    throw new ConfigurationError(
      position.owner,
      position.option,
      `'${position.prefix}${whole}' and its members are one name on the wire: name it or them`,
    );
  return order.map((entry) => {
    if (typeof entry === 'string') return selectedColumn(position, entry);
    return entry.relation?.isToMany === true
      ? selectedList(position, entry.relation, [...new Set(entry.paths)])
      : selectedParent(position, entry);
  });
}

function relatedPaths({ owner, option }: Position, relation: Relation, name: string): readonly string[] {
  if (name !== relation.name) return [name.slice(relation.name.length + 1)];
  if (relation.readableParentColumnNames.length > 0) return relation.readableParentColumnNames;
  throw new ConfigurationError(
    owner,
    option,
    `'${name}' is a relation: name its columns ('${name}.${relation.target().idColumn.name}') or give it readableParentColumnNames`,
  );
}

function selectedParent(position: Position, { name, relation, paths }: OpenRelation): SelectedParent {
  const { owner, option, root } = position;
  const prefix = `${position.prefix}${name}.`;
  const distinct = [...new Set(paths)];
  if (relation === undefined) return { ...shownWithin({ ...position, prefix }, distinct), name };
  const model = relation.target();
  const presence = known(owner, root, `${prefix}${model.idColumn.name}`, option);
  return {
    kind: 'parent',
    name,
    presence,
    members: nested({ owner, option, root, model, prefix }, distinct),
  };
}

/** The members of an embeddable, or of a Json column, which may be within objects of their own. */
function shownWithin(position: Position, names: readonly string[]): SelectedParent {
  const inner = new Map<string, string[]>();
  for (const name of names) {
    const [head = '', ...rest] = name.split('.');
    inner.set(head, [...(inner.get(head) ?? []), ...(rest.length === 0 ? [] : [rest.join('.')])]);
  }
  const members = [...inner].map(([name, rest]) =>
    rest.length === 0
      ? selectedColumn(position, name)
      : { ...shownWithin({ ...position, prefix: `${position.prefix}${name}.` }, rest), name },
  );
  return { kind: 'parent', name: '', presence: undefined, members };
}

/** Related records are read by a statement of their own, so their paths start at themselves. */
function selectedList(position: Position, relation: Relation, paths: readonly string[]): SelectedList {
  const { owner, option, model } = position;
  // Hidden relations are refused by the path of any column behind them.
  visible(owner, model, `${relation.name}.${relation.target().idColumn.name}`, option);
  return {
    kind: 'list',
    name: relation.name,
    ownerKey: ownerKey(position),
    relation,
    members: selectionOf(owner, relation.target(), paths, option),
    ...orderedList(owner, option, relation),
  };
}

function orderedList(
  owner: string,
  option: string,
  relation: Relation,
): Pick<SelectedList, 'sorts' | 'limit'> {
  const { name, target, list } = relation;
  if (list.problem !== undefined) {
    const subject = `${relation.owner.className}.${name}`;
    const remedy = 'give it a sortColumnName with defineColumns or columnOverrides';
    throw new ConfigurationError(owner, option, `'${name}': ${subject}: ${list.problem}; ${remedy}`);
  }
  const sorts = list.sorts.map(({ columnName, direction }) => ({
    path: sortable(owner, known(owner, target(), columnName, `${name}: sortColumnName`), name),
    direction,
  }));
  return { sorts, limit: list.limit };
}

function ownerKey({ owner, option, root, model, prefix }: Position): ColumnPath {
  return known(owner, root, `${prefix}${model.idColumn.name}`, option);
}

function selectedColumn(position: Position, name: string): SelectedColumn | SelectedList {
  const { owner, option, root, model, prefix } = position;
  const path = visible(owner, root, `${prefix}${name}`, option);
  if (path.column.type.storage !== 'links') return { kind: 'column', name, path };
  const relation = model.relations.get(path.column.property.name);
  if (relation === undefined) throw new TypeError(`'${name}' belongs to no relation`);
  const members: SelectedColumn = { kind: 'column', name, path: relation.target().idPath };
  return { kind: 'list', name, ownerKey: ownerKey(position), relation, members, sorts: [], limit: 0 };
}

/** The column behind a name of the configuration. @throws ConfigurationError when there is none that can be read */
export function known(owner: string, model: Model, name: string, option: string): ColumnPath {
  const path = model.path(name);
  const reason = path?.column.type.unusableBecause;
  if (reason !== undefined) throw new ConfigurationError(owner, option, `'${name}' ${reason}`);
  if (path !== undefined) return path;
  throw new ConfigurationError(owner, option, model.problemOf(name));
}

/** {@link searchable}, for columns that have a value to see, to sort or to group by. */
export function visible(owner: string, model: Model, name: string, option: string): ColumnPath {
  const path = searchable(owner, model, name, option);
  if (path.column.type.virtual === undefined) return path;
  throw new ConfigurationError(
    owner,
    option,
    `'${name}' has no value: it can be searched and sorted by alone`,
  );
}

/** {@link known}, for columns that clients see, sort or search by: a `hidden` property is none of them. */
export function searchable(owner: string, model: Model, name: string, option: string): ColumnPath {
  const path = known(owner, model, name, option);
  const isBehind = path.relations.some(({ property }) => property.hidden === true);
  const reason = isBehind ? 'is hidden in the entity' : path.column.hiddenBecause;
  if (reason === undefined) return path;
  throw new ConfigurationError(owner, option, `'${name}' ${reason} and cannot be used here`);
}

/** Gives the path when records can be sorted by it. @throws ConfigurationError */
export function sortable(owner: string, path: ColumnPath, option: string): ColumnPath {
  const isToMany = path.relations.some((relation) => relation.isToMany);
  if (!isToMany && isSortable(path.column)) return path;
  const reason = isToMany ? ': a record has many of them' : '';
  throw new ConfigurationError(owner, option, `'${path.text}' cannot be sorted by${reason}`);
}
