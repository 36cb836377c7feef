import { isRanked, operatorsOf } from '../model/column.js';
import { termSchema } from '../model/column.schema.js';
import { orNull, type JsonSchema } from '../model/json.schema.js';
import type { Operand, Operator } from '../model/operator.js';
import { longestPattern, operandOf } from '../query/condition.js';
import { directionSchema, pageControls, type ControlsDescription } from './list.controls.js';
import type { NamedPath } from '../query/list.columns.js';
import type { PlanSource } from '../query/plan.source.js';

interface Limits {
  readonly sorts: number;
  readonly conditions: number;
  /** The most values of one `in`. */
  readonly values: number;
}

/** The columns that conditions may be about, and how they are read. */
interface ConditionSource extends Pick<PlanSource, 'names' | 'forcesText'> {
  readonly columns: Pick<PlanSource['columns'], 'searchable'>;
}

/** Columns that are searched alike: values of one schema, the same operators. */
interface Likes {
  readonly names: string[];
  readonly column: NamedPath['path']['column'];
}

/** Describes what AdvancedSearch reads: the sorts, the conditions that each column allows, and the page. */
export function searchControls(source: PlanSource, limits: Limits): ControlsDescription {
  const { names } = source;
  return {
    query: {},
    body: {
      ...listed(names.control('sort'), limits.sorts, sortEntries(source)),
      ...pageControls(source),
      ...whereControl(source, limits),
    },
  };
}

/** Describes the conditions that each column allows; nothing where there are no columns. */
export function whereControl(
  source: ConditionSource,
  limits: Omit<Limits, 'sorts'>,
): Record<string, JsonSchema> {
  const conditions = likesOf(source).flatMap((likes) => conditionsOf(source, likes, limits));
  return listed(source.names.control('where'), limits.conditions, conditions);
}

/** A sort by how well records meet a search has a direction by itself. */
function sortEntries({ names, columns }: PlanSource): JsonSchema[] {
  const [column, direction] = [names.control('column'), names.control('direction')];
  const entries = [...columns.sortable];
  const ranked = entries.filter(([, { path }]) => isRanked(path.column)).map(([name]) => name);
  const plain = entries.map(([name]) => name).filter((name) => !ranked.includes(name));
  const entry = (sorts: readonly string[], required: readonly string[]): JsonSchema => {
    const properties = { [column]: { type: 'string', enum: sorts }, [direction]: directionSchema } as const;
    return { type: 'object', properties, required, additionalProperties: false };
  };
  return [
    ...(plain.length === 0 ? [] : [entry(plain, [column, direction])]),
    ...(ranked.length === 0 ? [] : [entry(ranked, [column])]),
  ];
}

function likesOf({ columns, forcesText }: ConditionSource): Likes[] {
  const likes = new Map<string, Likes>();
  for (const [name, { path }] of columns.searchable) {
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
  limits: Omit<Limits, 'sorts'>,
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
  { values }: Pick<Limits, 'values'>,
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
      return { type: 'string', maxLength: longestPattern };
    case 'list':
      return { type: 'array', items: schema, maxItems: values };
    case 'value':
      return schema;
  }
}

/** A list of at most so many entries; none where there is nothing to list. */
function listed(name: string, most: number, entries: readonly JsonSchema[]): Record<string, JsonSchema> {
  const [only, ...others] = entries;
  if (only === undefined) return {};
  return {
    [name]: { type: 'array', items: others.length === 0 ? only : { anyOf: entries }, maxItems: most },
  };
}
