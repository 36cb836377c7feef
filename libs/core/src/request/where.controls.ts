import { operatorsOf } from '../model/column.js';
import { termSchema } from '../model/column.schema.js';
import { NamedSchema, orNull, type JsonSchema } from '../model/json.schema.js';
import type { Operand, Operator } from '../model/operator.js';
import { sampleOf } from '../model/samples/sample.value.js';
import { longestJson, longestPattern, operandOf } from '../query/condition.js';
import type { NamedPath } from '../query/list.columns.js';
import type { PlanSource } from '../query/plan.source.js';
import type { SearchedRecords } from './searched.records.js';

/** The most conditions, and the most values of one. */
export interface ConditionLimits {
  readonly conditions: number;
  /** The most values of one `in`. */
  readonly values: number;
}

/** The words of conditions, and the records that they are about in names of schemas. */
type ConditionSource = Pick<PlanSource, 'names' | 'forcesText' | 'subject'>;

/** Columns that are searched alike: values of one schema, the same operators. */
interface Likes {
  readonly names: string[];
  readonly column: NamedPath['path']['column'];
}

/**
 * Describes the conditions that each column allows, and groups of them; nothing where there are no columns.
 * @param isRequired whether there must be a condition
 */
export function whereControl(
  source: ConditionSource,
  records: SearchedRecords,
  limits: ConditionLimits,
  isRequired = false,
): Record<string, JsonSchema> {
  const conditions = conditionsOn(source, records, limits);
  if (conditions.length === 0) return {};
  const entries = entriesOf({ $ref: criterionOf(source, records, limits) }, limits);
  const list = isRequired ? { ...entries, minItems: 1 } : entries;
  return { [source.names.control('where')]: { ...list, examples: examplesOf(source, conditions) } };
}

/** A condition and a group of some, as they may be sent. */
function examplesOf({ names }: ConditionSource, conditions: readonly JsonSchema[]): unknown[] {
  const samples = conditions.map((schema) => sampleOf(schema)).filter((sample) => sample !== undefined);
  if (samples.length === 0) return [];
  return [samples.slice(0, 1), [{ [names.control('any')]: samples.slice(0, 2) }]];
}

/** The schema of an entry, which a group of entries refers to again. */
function criterionOf(
  source: ConditionSource,
  records: SearchedRecords,
  limits: ConditionLimits,
): NamedSchema {
  const named: NamedSchema = new NamedSchema(`${source.subject}Condition`, () => ({
    anyOf: [
      ...conditionsOn(source, records, limits),
      ...groupsOf(source, { $ref: named }, limits),
      ...relatedGroups(source, records, limits),
    ],
  }));
  return named;
}

/** Groups of entries; they may be nested five deep, which no schema says. */
function groupsOf({ names }: ConditionSource, entry: JsonSchema, limits: ConditionLimits): JsonSchema[] {
  const list = { ...entriesOf(entry, limits), minItems: 1 };
  return [
    objectOf({ [names.control('any')]: { ...list, description: 'One of them is met.' } }),
    objectOf({ [names.control('all')]: { ...list, description: 'All of them are met.' } }),
    objectOf({ [names.control('not')]: entry }),
  ];
}

/** Groups about related records, of which one meets all entries, or none does. */
function relatedGroups(
  source: ConditionSource,
  { relations }: SearchedRecords,
  limits: ConditionLimits,
): JsonSchema[] {
  const { names, subject } = source;
  return [...relations].flatMap(([name, { records }]) => {
    const words = name.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const entry = criterionOf({ ...source, subject: `${subject}${words.join('')}` }, records, limits);
    const all = { [names.control('all')]: entriesOf({ $ref: entry }, limits) };
    const related = { type: 'string', enum: [name] } as const;
    return (['some', 'none'] as const).map((word) => objectOf({ [names.control(word)]: related, ...all }));
  });
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function entriesOf(items: JsonSchema, { conditions }: ConditionLimits): JsonSchema {
  return { type: 'array', items, maxItems: conditions };
}

function conditionsOn(
  source: ConditionSource,
  { columns }: SearchedRecords,
  limits: ConditionLimits,
): JsonSchema[] {
  return likesOf(columns, source.forcesText).flatMap((likes) => conditionsOf(source, likes, limits));
}

function likesOf(columns: SearchedRecords['columns'], forcesText: boolean): Likes[] {
  const likes = new Map<string, Likes>();
  for (const [name, { path }] of columns) {
    const { column } = path;
    const key = JSON.stringify([termSchema(column, forcesText), operatorsOf(column)]);
    const known = likes.get(key) ?? { names: [], column };
    known.names.push(name);
    likes.set(key, known);
  }
  return [...likes.values()];
}

/** One schema for each sort of operand, with the operators that take it. */
function conditionsOf(
  { names, forcesText }: ConditionSource,
  likes: Likes,
  limits: ConditionLimits,
): JsonSchema[] {
  const byOperand = new Map<Operand, Operator[]>();
  for (const operator of operatorsOf(likes.column)) {
    const operand = operandOf(operator);
    byOperand.set(operand, [...(byOperand.get(operand) ?? []), operator]);
  }
  const [column, operator, value] = [
    names.control('column'),
    names.control('operator'),
    names.control('value'),
  ];
  return [...byOperand].map(([operand, operators]) => ({
    type: 'object',
    properties: {
      [column]: { type: 'string', enum: likes.names },
      [operator]: { type: 'string', enum: operators },
      [value]: operandSchema(operand, likes.column, forcesText, limits),
    },
    required: operand === 'none' ? [column, operator] : [column, operator, value],
    additionalProperties: false,
  }));
}

const onlyNull: JsonSchema = { enum: [null] };

function operandSchema(
  operand: Operand,
  column: Likes['column'],
  forcesText: boolean,
  { values }: ConditionLimits,
): JsonSchema {
  const schema = termSchema(column, forcesText);
  switch (operand) {
    case 'none':
      return {};
    case 'nullable':
      return orNull(schema);
    case 'truth':
      return column.type.isBoolean ? orNull(schema) : onlyNull;
    case 'pattern':
    case 'text':
      return { type: 'string', maxLength: longestPattern };
    case 'list':
      return { type: 'array', items: schema, maxItems: values };
    case 'range':
      return { type: 'array', items: schema, minItems: 2, maxItems: 2 };
    case 'json':
      return { description: `Any JSON value of at most ${longestJson} bytes.` };
    case 'value':
      return schema;
  }
}
