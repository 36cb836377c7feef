import type { ColumnPath, Relation } from '../model/model.js';
import type { Comparison } from '../model/operator.js';
import { valueAt, writeComparison } from './comparison.js';
import type { ConditionGroup } from '../query/query.plan.js';
import { isGroup, relationText } from '../query/criterion.js';
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

/** A group of conditions without their values. */
interface ShapedGroup extends Pick<ConditionGroup, 'word' | 'relations'> {
  readonly members: readonly ShapedCriterion[];
}

/** A criterion without its values. */
export type ShapedCriterion = ShapedCondition | ShapedGroup;

/** Words that tell criteria from others: names of the configuration and operators, so distinct ones have distinct words. */
export function conditionWords(criteria: readonly ShapedCriterion[]): string[] {
  const words: string[] = [];
  for (const one of criteria)
    if (isGroup(one))
      words.push(`(${one.word} ${relationText(one.relations)}`, ...conditionWords(one.members), ')');
    else words.push(`${one.path.text} ${one.comparison} ${one.listLength ?? 0}`);
  return words;
}

/** The relations that criteria need joined: those within a sub-select are its own. */
export function joinsOf(criteria: readonly ShapedCriterion[]): readonly Pick<ColumnPath, 'relations'>[] {
  return criteria.flatMap((one): readonly Pick<ColumnPath, 'relations'>[] => {
    if (!isGroup(one)) return [one.path];
    return one.relations.length === 0 ? joinsOf(one.members) : [one];
  });
}

/**
 * The most `exists` that a planner may make joins of. The search for their order takes seconds with a hundred. Behind the
 * first ones they are tests of the few records that are left.
 */
const joinedExists = 8;

/** The texts between the members of a group, and around them. A group that is not met is so for nulls, too. */
const groupTexts = {
  all: { before: '(', glue: ' and ', after: ')', none: '1 = 1' },
  any: { before: '(', glue: ' or ', after: ')', none: '1 = 0' },
  not: { before: '(', glue: ' and ', after: ') is not true', none: '1 = 1' },
} as const;

/** Writes criteria, whose values are the inputs from the first on, in the order of their conditions. */
export class CriteriaWriter {
  #position = 0;

  constructor(private readonly scope: Scope) {}

  /** Writes that all of them are met, behind `glue`. @returns the word with which the next condition begins */
  write(criteria: readonly ShapedCriterion[], glue: string): string {
    let next = glue;
    for (const criterion of criteria) {
      this.scope.draft.writer.write(next);
      this.#write(this.scope, criterion);
      next = ' and ';
    }
    return next;
  }

  #write(scope: Scope, criterion: ShapedCriterion): void {
    if (!isGroup(criterion)) {
      writeCondition(scope, criterion, this.#position);
      this.#position += 1;
      return;
    }
    const { word, members, relations } = criterion;
    if (word === 'some' || word === 'none') {
      if (word === 'none') scope.draft.writer.write('not ');
      writeExists(scope, relations, joinsOf(members), (related) => {
        for (const member of members) {
          scope.draft.writer.write(' and ');
          this.#write(related, member);
        }
      });
      return;
    }
    this.#writeGroup(scope, word, members);
  }

  #writeGroup(scope: Scope, word: keyof typeof groupTexts, members: readonly ShapedCriterion[]): void {
    const { writer } = scope.draft;
    const { before, glue, after, none } = groupTexts[word];
    writer.write(before);
    if (members.length === 0) writer.write(none);
    for (const [index, member] of members.entries()) {
      if (index > 0) writer.write(glue);
      this.#write(scope, member);
    }
    writer.write(after);
  }
}

/**
 * Writes a condition whose value is the input at `position`. A path over a to-many relation asks whether one of the
 * related records meets it, so that it neither repeats a record nor changes a count.
 */
function writeCondition(scope: Scope, condition: ShapedCondition, position: number): void {
  const { path, comparison, isExact = false, listLength = 0 } = condition;
  const { relations, column } = path;
  const near = toOne(relations);
  if (near.length === relations.length) {
    const value = valueAt(position);
    writeComparison(scope.draft.writer, scope.value(path), {
      column,
      comparison,
      isExact,
      listLength,
      value,
      position,
    });
    return;
  }
  const far = { ...path, relations: relations.slice(near.length + 1) };
  writeExists(scope, relations.slice(0, near.length + 1), [far], (related) => {
    related.draft.writer.write(' and ');
    writeCondition(related, { ...condition, path: far }, position);
  });
}

/**
 * Writes that there is a related record which the request may see.
 * @param relations the last is to-many, those before it are to-one
 * @param uses what is asked of it
 * @param write writes that, each behind an `and`
 */
function writeExists(
  scope: Scope,
  relations: readonly Relation[],
  uses: readonly Pick<ColumnPath, 'relations'>[],
  write: (related: RelatedScope) => void,
): void {
  const { writer } = scope.draft;
  const near = relations.slice(0, -1);
  const relation = relations.at(-1);
  if (relation === undefined) throw new TypeError('No relation leads to the related records');
  const owner = near.at(-1)?.target() ?? scope.model;
  const related = new RelatedScope(scope.draft, relation);
  const isApart = writer.exists() > joinedExists;
  related.reserve(uses);
  writer.write('exists (select 1');
  related.writeFrom();
  writer.write(` where ${related.ownedBy(scope.aliasOf(near), owner)}`);
  related.writeMembers();
  write(related);
  writer.write(isApart ? `${writer.dialect.apart})` : ')');
}
