import { isRanked } from '../model/column.js';
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
  return {
    query: {},
    body: {
      ...listed(names.control('sort'), limits.sorts, sortEntries(source)),
      ...pageControls(source),
      ...whereControl(source, new SearchedRecords(columns.searchable), limits),
    },
  };
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

/** A list of at most so many entries; none where there is nothing to list. */
function listed(name: string, most: number, entries: readonly JsonSchema[]): Record<string, JsonSchema> {
  const [only, ...others] = entries;
  if (only === undefined) return {};
  return {
    [name]: { type: 'array', items: others.length === 0 ? only : { anyOf: entries }, maxItems: most },
  };
}
