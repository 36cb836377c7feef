import { columnSchema } from '../../model/column.schema.js';
import type { JsonSchema } from '../../model/json.schema.js';
import { isReadAsText } from '../../model/column.js';
import type { NameTable } from '../../wire/name.table.js';
import type { Selection } from '../query.plan.js';
import type { GroupMember } from './group.plan.js';

/** Makes the selection that shows members of a group, those of parents as nested objects. */
export function groupSelection(members: readonly GroupMember[]): Selection {
  return selectionAt(members, 0);
}

function selectionAt(members: readonly GroupMember[], depth: number): Selection {
  return [...byKey(members, depth)].map(([name, inner]): Selection[number] => {
    const [first] = inner;
    if (first?.keys.length !== depth + 1)
      return { kind: 'parent', name, presence: undefined, members: selectionAt(inner, depth + 1) };
    const { text, result } = first;
    const path = { text, relations: [], column: result, asText: isReadAsText(result) };
    return { kind: 'value', name, path, toWire: (stored) => result.type.toWire(stored) };
  });
}

/** Makes the schema of an object with any of these members. */
export function groupSchema(members: readonly GroupMember[], names: NameTable): JsonSchema {
  return schemaAt(members, 0, names);
}

function schemaAt(members: readonly GroupMember[], depth: number, names: NameTable): JsonSchema {
  const properties = [...byKey(members, depth)].map(([name, inner]) => {
    const [first] = inner;
    const isLeaf = first?.keys.length === depth + 1;
    const schema = isLeaf ? columnSchema(first.result, true) : schemaAt(inner, depth + 1, names.within);
    return [names.outward(name), schema] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function byKey(members: readonly GroupMember[], depth: number): Map<string, GroupMember[]> {
  const gathered = new Map<string, GroupMember[]>();
  for (const member of members) {
    const key = member.keys[depth] ?? '';
    const known = gathered.get(key);
    if (known === undefined) gathered.set(key, [member]);
    else known.push(member);
  }
  return gathered;
}
