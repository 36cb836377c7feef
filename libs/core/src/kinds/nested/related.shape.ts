import type { KindContext } from '../../endpoint/kind.context.js';
import type { NestedOperation, WriteableRelation } from '../../endpoint/options/nested.options.js';
import { didYouMean } from '../../options/nearest.name.js';
import type { Column } from '../../model/column.js';
import type { Model, Relation } from '../../model/model.js';
import { ConfigurationError, oneOf } from '../../wire/configuration.error.js';

/** The option that names relations. */
export const nestedOption = 'writeableRelations';

/** The place of related records: `children` and a single `child` have the key of the record, a `parent` is what it refers to. */
type RelatedForm = 'children' | 'child' | 'parent';

/** The write of the record within which related ones are written. An Upsert reads bodies as an Update does. */
export type NestedVerb = 'create' | 'update';

/** A relation whose records are written within bodies. */
export interface RelatedShape {
  readonly name: string;
  readonly relation: Relation;
  readonly form: RelatedForm;
  /** The column of the record that has the key of its parent; undefined for other forms. */
  readonly key: Column | undefined;
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
  child: ['create', 'update', 'delete'],
  parent: ['create', 'update'],
} as const satisfies Record<RelatedForm, readonly NestedOperation[]>;

/** Reads the option for one relation. @throws ConfigurationError for one that is unknown, or cannot be written so */
export function relatedShape(
  { owner }: KindContext,
  model: Model,
  name: string,
  option: WriteableRelation,
): RelatedShape {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(owner, nestedOption, problem);
  };
  const relation = model.relations.get(name);
  if (relation === undefined) {
    const names = [...model.relations.keys()];
    return refuse(`unknown relation '${name}'${didYouMean(name, names)}; ${oneOf(names)}`);
  }
  const form = formOf(relation) ?? refuse(`'${name}' is kept in a table of its own: write its keys`);
  const { operations = possible[form].filter((one) => one !== 'link' && one !== 'unlink') } = option;
  const allowed: readonly NestedOperation[] = possible[form];
  const misfit = operations.find((one) => !allowed.includes(one));
  if (misfit !== undefined)
    refuse(`'${name}' cannot have the operation '${misfit}'; ${oneOf([...possible[form]])}`);
  if (option.replace === true && form !== 'children') refuse(`'${name}' is no list, which replace is about`);
  if (option.replace === true && !operations.includes('delete') && !operations.includes('unlink'))
    refuse(`replace of '${name}' needs the operation delete, or unlink`);
  return {
    name,
    relation,
    form,
    key: form === 'parent' ? keyColumn(model, name) : undefined,
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

/** Undefined for a relation between many on both sides. */
function formOf({ property: { kind, owner } }: Relation): RelatedForm | undefined {
  const kinds: Readonly<Record<string, RelatedForm>> = {
    '1:m': 'children',
    'm:1': 'parent',
    '1:1': owner ? 'parent' : 'child',
  };
  return kinds[kind];
}
