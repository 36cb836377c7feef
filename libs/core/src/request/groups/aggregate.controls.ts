import type { JsonSchema } from '../../model/json.schema.js';
import { operatorsOf } from '../../model/column.js';
import { operandOf } from '../../query/condition.js';
import { usualLimits } from '../../query/condition.cost.js';
import type { Measure } from '../../query/groups/group.plan.js';
import { directionSchema } from '../list.controls.js';
import type { GroupControls } from './group.search.js';
import type { AggregateParameters, AggregateSource } from './aggregate.parameters.js';

/** Describes what an Aggregate reads, in the query string and in the body. */
export function aggregateControls(
  { plan: { names }, limits, groupings, measures, maximumGroupings, knowsTimeZone }: AggregateSource,
  { search }: AggregateParameters,
): GroupControls {
  const { query, body, besideBody, refusals = [] } = search.describe();
  const hasGroups = groupings.size > 0;
  const groupBy: JsonSchema = { ...namesSchema([...groupings.keys()]), maxItems: maximumGroupings };
  const zone: JsonSchema = { type: 'string', description: 'The name of a time zone, e.g. `Europe/Paris`.' };
  const shared = {
    ...(hasGroups ? { [names.control('group_by')]: groupBy } : {}),
    [names.control('sort')]: { type: 'string', enum: [...groupings.keys(), ...measures.keys()] },
    [names.control('direction')]: { ...directionSchema, default: 'asc' },
    ...(hasGroups && knowsTimeZone !== undefined ? { [names.control('time_zone')]: zone } : {}),
  };
  const measured = namesSchema([...measures.keys()]);
  const having: JsonSchema = {
    type: 'array',
    items: {
      anyOf: [...measures.values()].map((measure) => conditionSchema(names.control.bind(names), measure)),
    },
    maxItems: limits.maximumConditions ?? usualLimits.conditions,
  };
  return {
    query: { ...query, ...shared, [names.control('measure')]: measured },
    body: {
      ...body,
      ...shared,
      [names.control('measures')]: measured,
      ...(hasGroups ? { [names.control('having')]: having } : {}),
    },
    besideBody,
    refusals,
  };
}

/** A list of names, none of them twice. */
export function namesSchema(names: readonly string[]): JsonSchema {
  return { type: 'array', items: { type: 'string', enum: names }, uniqueItems: true };
}

function conditionSchema(word: (name: string) => string, { name, result }: Measure): JsonSchema {
  const operators = operatorsOf(result);
  return {
    type: 'object',
    properties: {
      [word('measure')]: { type: 'string', enum: [name] },
      [word('operator')]: { type: 'string', enum: operators },
      [word('value')]: {},
    },
    required: operators.every((operator) => operandOf(operator) !== 'none')
      ? [word('measure'), word('operator'), word('value')]
      : [word('measure'), word('operator')],
    additionalProperties: false,
  };
}
