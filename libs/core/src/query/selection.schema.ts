import { columnSchema } from '../model/column.schema.js';
import { orNull, type JsonSchema } from '../model/json.schema.js';
import { ownedParentOf } from '../metadata/relation.property.js';
import type { Model } from '../model/model.js';
import type { NameTable } from '../wire/name.table.js';
import type { SelectedColumn, SelectedParent, Selection } from './query.plan.js';

/** A test of whether some requests may not see records of a model. An existing parent is shown as null then. */
export type HidesRecords = (model: Model) => boolean;

/**
 * The JSON object that a selection becomes on the wire.
 * @param isOptional whether clients select what is shown: then any member may be left out
 */
export function selectionSchema(
  selection: Selection,
  names: NameTable,
  hides: HidesRecords,
  isOptional = false,
): JsonSchema {
  const isAlways = (member: Selection[number]): boolean =>
    member.kind !== 'value' || member.isOptional !== true;
  const members = selection.map(
    (member) => [names.outward(member.name), memberSchema(member, names, hides, isOptional)] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    required: isOptional ? [] : selection.filter(isAlways).map(({ name }) => names.outward(name)),
    additionalProperties: false,
  };
}

function memberSchema(
  member: Selection[number],
  names: NameTable,
  hides: HidesRecords,
  isOptional: boolean,
): JsonSchema {
  switch (member.kind) {
    case 'column':
    case 'value':
      return shownColumn(member);
    case 'parent': {
      const parent = selectionSchema(member.members, names.within, hides, isOptional);
      return isAlwaysThere(member, hides) ? parent : orNull(parent);
    }
    case 'list': {
      const { members, limit } = member;
      const items =
        'kind' in members ? shownColumn(members) : selectionSchema(members, names.within, hides, isOptional);
      return { type: 'array', items, ...(limit === 0 ? {} : { maxItems: limit }) };
    }
  }
}

/** Makes the schema of a shown column. A computed one may be null, whatever the entity says of it. */
function shownColumn({ path: { column } }: Pick<SelectedColumn, 'path'>): JsonSchema {
  const { formula, nullable } = column.property;
  return columnSchema(column, column.nullable || (formula !== undefined && nullable !== false));
}

/** An embeddable is; a parent is when its key cannot be empty and nothing hides the record behind it. */
function isAlwaysThere({ presence }: SelectedParent, hides: HidesRecords): boolean {
  const relation = presence?.relations.at(-1);
  if (relation === undefined) return true;
  const { property, target } = relation;
  const { meta } = target();
  const isNarrowed = property.where !== undefined || property.formula !== undefined || meta.root !== meta;
  return (
    ownedParentOf(property) !== undefined && property.nullable !== true && !isNarrowed && !hides(target())
  );
}
