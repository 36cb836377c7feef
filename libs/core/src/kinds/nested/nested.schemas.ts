import type { JsonSchema } from '../../model/json.schema.js';
import { termSchema } from '../../model/column.schema.js';
import type { NestedOperation } from '../../endpoint/options/nested.options.js';
import { writtenRecord } from '../record/record.description.js';
import type { RelationLevel, WrittenRelation } from './nested.plan.js';
import { wordsOf } from './plan.reading.js';
import type { ChangeRules, CreateRules } from './related.rules.js';

/** Adds to the schema of a record what its body may have of related ones. */
export function nestedSchemas(schema: JsonSchema, level: RelationLevel | undefined): JsonSchema {
  if (level === undefined) return schema;
  const related = [...level.byName].map(([name, relation]) => [name, relationSchema(relation)] as const);
  const required = schema.required?.filter((name) => !level.keyNames.includes(name)) ?? [];
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(related) }, required };
}

function relationSchema(relation: WrittenRelation): JsonSchema {
  const { shape, verb, rules } = relation;
  const { maximum } = shape;
  const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items, maxItems: maximum });
  const isList = shape.isMany;
  if (isList && verb === 'create') return rules.create ? listOf(created(relation, rules.create)) : {};
  const words = [...wordsOf(relation)].map(([word, operation]) => {
    const one = operationSchema(relation, operation);
    return [word, isList ? listOf(one) : one] as const;
  });
  const operations: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(words),
    additionalProperties: false,
    minProperties: 1,
    ...(isList ? {} : { maxProperties: 1 }),
  };
  if (!shape.replaces) return operations;
  const entries = [
    ...(rules.create === undefined ? [] : [created(relation, rules.create)]),
    ...(rules.update === undefined ? [] : [listedSchema(relation, rules.update)]),
  ];
  return { anyOf: [operations, listOf({ anyOf: entries })] };
}

function operationSchema(relation: WrittenRelation, operation: NestedOperation): JsonSchema {
  const { rules, shape } = relation;
  if (operation === 'create') return rules.create === undefined ? {} : created(relation, rules.create);
  if (operation === 'update') return rules.update === undefined ? {} : changed(relation, rules.update);
  if (shape.form === 'child') return { const: true };
  const used = operation === 'delete' ? rules.delete : rules.update;
  return used === undefined ? {} : keySchema(used);
}

/** A record in a list, which is only kept where bodies may change none. */
function listedSchema(relation: WrittenRelation, rules: CreateRules & ChangeRules): JsonSchema {
  if (relation.shape.operations.has('update')) return changed(relation, rules);
  const { keyName, versionName } = rules.targets;
  const properties = { [keyName]: keySchema(rules), [versionName]: { type: 'string' } } as const;
  return { type: 'object', properties, required: [keyName], additionalProperties: false };
}

function created(relation: WrittenRelation, { context, model, writeable, options }: CreateRules): JsonSchema {
  const source = { writeableColumnNames: writeable, transformInputTypes: options.transformInputTypes };
  const schema = writtenRecord(context, model, source, { partial: false });
  return nestedSchemas(schema, relation.within('create'));
}

function changed(relation: WrittenRelation, rules: CreateRules & ChangeRules): JsonSchema {
  const { context, model, writeable, options, targets } = rules;
  const source = { writeableColumnNames: writeable, transformInputTypes: options.transformInputTypes };
  const own = writtenRecord(context, model, source, { partial: true });
  const schema = nestedSchemas(own, relation.within('update'));
  if (!relation.shape.isMany) return schema;
  const { keyName, versionName } = targets;
  const properties = { [keyName]: keySchema(rules), ...schema.properties, [versionName]: { type: 'string' } };
  const demanded = options.preconditionRequired === true ? [keyName, versionName] : [keyName];
  return { ...schema, properties, required: demanded };
}

function keySchema({ targets, options }: ChangeRules): JsonSchema {
  return termSchema(targets.path.column, options.transformInputTypes ?? false);
}
