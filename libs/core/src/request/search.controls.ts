import type { JsonSchema } from '../model/json.schema.js';
import { directionSchema, pageControls, type ControlsDescription } from './list.controls.js';
import type { PlanSource } from '../query/plan.source.js';
import { SearchedRecords } from './searched.records.js';
import { whereControl, type ConditionLimits } from './where.controls.js';

interface Limits extends ConditionLimits {
  readonly sorts: number;
}

/** Describes what AdvancedSearch reads: the sorts, the conditions that each column allows, and the page. */
export function searchControls(source: PlanSource, limits: Limits): ControlsDescription {
  const { names, columns } = source;
  const sorts = [...columns.sortable.keys()];
  return {
    query: {},
    body: {
      ...listed(names.control('sort'), limits.sorts, sorts.length === 0 ? [] : [sortEntry(source, sorts)]),
      ...pageControls(source),
      ...whereControl(source, new SearchedRecords(columns.searchable), limits),
    },
  };
}

function sortEntry({ names }: PlanSource, sorts: readonly string[]): JsonSchema {
  const [column, direction] = [names.control('column'), names.control('direction')];
  const properties = { [column]: { type: 'string', enum: sorts }, [direction]: directionSchema };
  return { type: 'object', properties, required: [column, direction], additionalProperties: false };
}

/** A list of at most so many entries; none where there is nothing to list. */
function listed(name: string, most: number, entries: readonly JsonSchema[]): Record<string, JsonSchema> {
  const [only, ...others] = entries;
  if (only === undefined) return {};
  return {
    [name]: { type: 'array', items: others.length === 0 ? only : { anyOf: entries }, maxItems: most },
  };
}
