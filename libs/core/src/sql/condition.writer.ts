import type { ColumnPath } from '../model/model.js';
import type { Comparison } from '../model/operator.js';
import { valueAt, writeComparison } from './comparison.js';
import { RelatedScope } from './related.scope.js';
import { toOne, type Scope } from './scope.js';

/** A condition without its value. */
export interface ShapedCondition {
  readonly path: ColumnPath;
  readonly comparison: Comparison;
  /** True if instants must be equal to the last digit. Default false: as they are written. */
  readonly isExact?: boolean;
  /** The number of values in a list, for databases that take each as a parameter of its own. */
  readonly listLength?: number;
}

/** Words that tell conditions from others: names of the configuration and operators, so distinct ones have distinct words. */
export function conditionWords(conditions: readonly ShapedCondition[]): string[] {
  return conditions.map(({ path, comparison, listLength = 0 }) => `${path.text} ${comparison} ${listLength}`);
}

/**
 * The most `exists` that a planner may make joins of. The search for their order takes seconds with a hundred. Behind the
 * first ones they are tests of the few records that are left.
 */
const joinedExists = 8;

/**
 * Writes a condition whose value is the input at `position`. A path over a to-many relation asks whether one of the
 * related records meets it, so that it neither repeats a record nor changes a count.
 */
export function writeCondition(scope: Scope, condition: ShapedCondition, position: number): void {
  const { path, comparison, isExact = false, listLength = 0 } = condition;
  const { writer } = scope.draft;
  const near = toOne(path.relations);
  const relation = path.relations[near.length];
  if (relation === undefined) {
    const { column } = path;
    const value = valueAt(position);
    writeComparison(writer, scope.value(path), { column, comparison, isExact, listLength, value });
    return;
  }
  const far = { ...path, relations: path.relations.slice(near.length + 1) };
  const { idColumn } = near.at(-1)?.target() ?? scope.model;
  const owner = scope.draft.tables.field(scope.aliasOf(near), idColumn.property);
  const related = new RelatedScope(scope.draft, relation);
  const isApart = writer.exists() > joinedExists;
  related.reserve([far]);
  writer.write('exists (select 1');
  related.writeFrom();
  writer.write(` where ${related.ownerKey} = ${owner}`);
  related.writeMembers();
  writer.write(' and ');
  writeCondition(related, { ...condition, path: far }, position);
  writer.write(isApart ? `${writer.dialect.apart})` : ')');
}
