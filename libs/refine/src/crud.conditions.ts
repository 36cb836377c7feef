import type { CrudFilter, LogicalFilter } from '@refinedev/core';
import type { RecordCondition } from '@nest-endpoints/client';

type Operator = LogicalFilter['operator'];

/** Makes a condition of a column and a value. */
type Compared = (column: string, value: unknown) => RecordCondition;

const by =
  (operator: string): Compared =>
  (column, value) => ({ column, operator, value });

const not =
  (compared: Compared): Compared =>
  (column, value) => ({ not: compared(column, value) });

/** Letters as they are: `contains` and its siblings know no capitals, `like` does. */
const like =
  (pattern: (text: string) => string): Compared =>
  (column, value) => ({ column, operator: 'like', value: pattern(String(value).replace(/[\\%_]/g, '\\$&')) });

const within = like((text) => `%${text}%`);
const ahead = like((text) => `${text}%`);
const behind = like((text) => `%${text}`);

/** No value is `true` in refine; `false` asks for the contrary. */
const empty =
  (operator: string, contrary: string): Compared =>
  (column, value) => ({ column, operator: value === false ? contrary : operator });

/** The operators of refine in the words of AdvancedSearch. */
const comparisons = {
  eq: (column, value) => ({ column, operator: Array.isArray(value) ? 'in' : '=', value }),
  ne: by('!='),
  eqs: by('='),
  nes: by('!='),
  lt: by('<'),
  gt: by('>'),
  lte: by('<='),
  gte: by('>='),
  in: by('in'),
  nin: by('not in'),
  ina: by('has'),
  nina: not(by('has')),
  contains: by('contains'),
  ncontains: not(by('contains')),
  containss: within,
  ncontainss: not(within),
  between: by('between'),
  nbetween: not(by('between')),
  null: empty('is null', 'is not null'),
  nnull: empty('is not null', 'is null'),
  startswith: by('starts with'),
  nstartswith: not(by('starts with')),
  startswiths: ahead,
  nstartswiths: not(ahead),
  endswith: by('ends with'),
  nendswith: not(by('ends with')),
  endswiths: behind,
  nendswiths: not(behind),
} as const satisfies Record<Operator, Compared>;

/** The conditions of filters of refine. A filter without a value is none, as in its own providers, and so is a group of such. */
export function conditionsOf(filters: readonly CrudFilter[] = []): readonly RecordCondition[] {
  return filters.flatMap((filter): RecordCondition[] => {
    const value: unknown = filter.value;
    if (filter.operator === 'or' || filter.operator === 'and') {
      const group = conditionsOf(filter.value);
      if (group.length === 0) return [];
      return [filter.operator === 'or' ? { any: group } : { all: group }];
    }
    if (value === undefined || value === '') return [];
    return 'field' in filter ? [comparisons[filter.operator](filter.field, value)] : [];
  });
}
