import type { KindContext } from '../../endpoint/kind.context.js';
import type { NestedOperation, WriteableRelation } from '../../endpoint/options/nested.options.js';
import { didYouMean } from '../../options/nearest.name.js';
import type { Column } from '../../model/column.js';
import type { Model, Relation } from '../../model/model.js';
import type { LinkWriting } from '../../records/writes/links/link.writing.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { ConfigurationError, oneOf } from '../../wire/configuration.error.js';

/** The option that names relations. */
export const nestedOption = 'writeableRelations';

/**
 * The place of related records: `children` and a single `child` have the key of the record, a `parent` is what it refers to.
 * `members` are linked to it in a table between them, and to others as well.
 */
type RelatedForm = 'children' | 'members' | 'child' | 'parent';

/** The write of the record within which related ones are written. An Upsert reads bodies as an Update does. */
export type NestedVerb = 'create' | 'update';

/** A relation whose records are written within bodies. */
export interface RelatedShape {
  readonly name: string;
  readonly relation: Relation;
  readonly form: RelatedForm;
  /** The column of the record that has the key of its parent; undefined for other forms. */
  readonly key: Column | undefined;
  /** The links of members; undefined for other forms. */
  readonly links: LinkWriting | undefined;
  /** The column of the record that writes the same: {@link key}, or the keys of members. */
  readonly beside: Column | undefined;
  /** True for records that there may be many of. */
  readonly isMany: boolean;
  readonly operations: ReadonlySet<NestedOperation>;
  readonly maximum: number;
  readonly replaces: boolean;
  readonly option: WriteableRelation;
}

/** The usual limit of related records of one record. */
const usualMaximum = 100;

/** The operations that a form can have. */
const possible = {
  children: ['create', 'update', 'delete', 'link', 'unlink'],
  members: ['create', 'update', 'delete', 'link', 'unlink'],
  child: ['create', 'update', 'delete'],
  parent: ['create', 'update'],
} as const satisfies Record<RelatedForm, readonly NestedOperation[]>;

/** Reads the option for one relation. @throws ConfigurationError for one that is unknown, or cannot be written so */
export function relatedShape(
  context: KindContext,
  model: Model,
  name: string,
  option: WriteableRelation,
): RelatedShape {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(context.owner, nestedOption, problem);
  };
  const relation = model.relations.get(name);
  if (relation === undefined) {
    const names = [...model.relations.keys()];
    return refuse(`unknown relation '${name}'${didYouMean(name, names)}; ${oneOf(names)}`);
  }
  const form = formOf(relation);
  const isMany = form === 'children' || form === 'members';
  const { operations = possible[form].filter((one) => one !== 'link' && one !== 'unlink') } = option;
  const allowed: readonly NestedOperation[] = possible[form];
  const misfit = operations.find((one) => !allowed.includes(one));
  if (misfit !== undefined)
    refuse(`'${name}' cannot have the operation '${misfit}'; ${oneOf([...possible[form]])}`);
  if (option.replace === true && !isMany) refuse(`'${name}' is no list, which replace is about`);
  if (option.replace === true && !operations.includes('delete') && !operations.includes('unlink'))
    refuse(`replace of '${name}' needs the operation delete, or unlink`);
  const key = form === 'parent' ? keyColumn(model, name) : undefined;
  return {
    name,
    relation,
    form,
    key,
    links: form === 'members' ? linksOf(context, model, relation) : undefined,
    beside: form === 'members' ? listColumn(model, name) : key,
    isMany,
    operations: new Set(operations),
    maximum: option.maximum ?? usualMaximum,
    replaces: option.replace === true,
    option,
  };
}

/** The column in which records of a model have the key of a parent. */
export function keyColumn(model: Model, propertyName: string): Column | undefined {
  return [...model.columns.values()].find(
    (column) => column.property.name === propertyName && column.type.storage !== 'links',
  );
}

/** The column of a model with the keys that a relation between many leads to. */
export function listColumn(model: Model, propertyName: string | undefined): Column | undefined {
  return [...model.columns.values()].find(
    (column) => column.property.name === propertyName && column.type.storage === 'links',
  );
}

function formOf({ property: { kind, owner } }: Relation): RelatedForm {
  const forms: Readonly<Record<string, RelatedForm>> = {
    '1:m': 'children',
    'm:n': 'members',
    'm:1': 'parent',
  };
  return forms[kind] ?? (owner ? 'parent' : 'child');
}

/** @throws ConfigurationError where a link needs values that nobody gives */
function linksOf(context: KindContext, model: Model, relation: Relation): LinkWriting | undefined {
  const { name, property } = relation;
  const reason = context.reasonAgainstList(relation);
  if (reason !== undefined) throw new ConfigurationError(context.owner, nestedOption, `'${name}': ${reason}`);
  if (partingPropertiesOf(model.meta).length > 0) {
    const problem = `'${name}': rows between records with keys of several columns are written by its list of keys alone`;
    throw new ConfigurationError(context.owner, nestedOption, problem);
  }
  const links = context.store(model).bulkWriting?.linksOf(property);
  const [first] = links?.unfilled ?? [];
  if (first === undefined) return links;
  const table = property.pivotEntity as { readonly name?: string };
  const problem = `'${name}': '${first}' of ${table.name ?? 'its table'} has no default, and a link gives it no value`;
  throw new ConfigurationError(context.owner, nestedOption, problem);
}
