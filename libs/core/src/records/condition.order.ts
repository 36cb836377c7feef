import type { ListPlan } from '../query/query.plan.js';

/** Orders conditions, so that the same terms give the same ones, in whatever order a client has sent them: they are one statement. */
export function inOneOrder(conditions: ListPlan['conditions']): ListPlan['conditions'] {
  if (conditions.length < 2) return conditions;
  return conditions.toSorted((one, other) => compared(wordOf(one), wordOf(other)));
}

function wordOf({ path, comparison }: ListPlan['conditions'][number]): string {
  return `${path.text} ${comparison}`;
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
