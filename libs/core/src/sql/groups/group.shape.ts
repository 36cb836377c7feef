import type { GroupMember, GroupParts, GroupSort, MeasureCondition } from '../../query/groups/group.plan.js';
import type { RecordsShape } from '../select.shape.js';

/** A condition on what is measured, without its value. */
interface ShapedMeasureCondition extends Pick<MeasureCondition, 'measure' | 'comparison'> {
  /** The number of values in a list, for databases that take each as a parameter of its own. */
  readonly listLength: number;
}

/** The groups that a statement is about, without the values of a request. */
export interface GroupsShape extends RecordsShape, GroupParts {
  /** The values of the rows, in their order. */
  readonly shown: readonly GroupMember[];
  readonly having: readonly ShapedMeasureCondition[];
  readonly order: readonly GroupSort[];
  /** Groups of fewer records are left out. */
  readonly minimum: number;
  /** True if the values of the only grouping must meet a pattern. */
  readonly hasPattern: boolean;
}

/** Words that tell groups from others: names of the configuration and closed ones. */
export function groupWords(shape: GroupsShape): string[] {
  const { groupings, measures, shown, having, order, hasPattern } = shape;
  return [
    'groups',
    ...[groupings, measures, shown].map((members) => members.map(({ text }) => text).join(',')),
    ...having.map(({ measure, comparison, listLength }) => `${measure.text} ${comparison} ${listLength}`),
    'by',
    ...order.map(({ member, direction }) => `${member.text} ${direction}`),
    String(hasPattern),
  ];
}
