import type { EntityMetadata } from '@mikro-orm/core';
import { isGroup, relationText } from '../../query/criterion.js';
import type { Criterion, ListPlan, SelectedColumn, Selection } from '../../query/query.plan.js';
import type { Fragment, Restriction } from '../../sql/restriction.js';
import type { SessionsBeside } from '../../visibility/sessions.beside.js';

/** The parts of a request that decide what is read for it. */
interface KeyedRequest {
  readonly plan: ListPlan;
  readonly narrowed: readonly Fragment[];
}

/** The form in which records are shown: the names of what they have, in their order. */
export function shapeOf(selection: Selection | SelectedColumn): unknown {
  if ('kind' in selection) return selection.name;
  return selection.map((member) =>
    'members' in member ? [member.name, shapeOf(member.members)] : member.name,
  );
}

/**
 * Text that is equal for requests of one endpoint which see the same: records in the same shape that meet the same conditions
 * with the same values, under the same restrictions, for the same variables and role, in the same schema.
 */
export function sightKey(
  shape: unknown,
  { plan, narrowed }: KeyedRequest,
  { restrictions, sessionContext, schema }: SessionsBeside,
): string {
  const limits = [...restrictions].map(limitOf).toSorted(byName);
  const { sorts, limit, conditions } = plan;
  const order = sorts.map(({ path, direction, value }) => [path.text, direction, value ?? null]);
  return JSON.stringify(
    [
      [shape, conditions.map(termOf), order, limit, limits, narrowed.map(fragmentOf)],
      [sessionContext ?? null, schema ?? null],
    ],
    written,
  );
}

type Limit = readonly [name: string, of: unknown];

function limitOf([meta, restriction]: readonly [EntityMetadata, Restriction]): Limit {
  return [meta.className, [restriction.shape, valuesOf(restriction)]];
}

function byName([one]: Limit, [other]: Limit): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function termOf(criterion: Criterion): unknown {
  if (!isGroup(criterion)) return [criterion.path.text, criterion.comparison, criterion.value ?? null];
  const { word, relations, members } = criterion;
  return [word, relationText(relations), members.map(termOf)];
}

function fragmentOf({ sql, parameters }: Fragment): unknown {
  return [sql, parameters];
}

/** All values of a restriction, in one order. */
function valuesOf({ conditions, keys, groups }: Restriction): unknown {
  return [
    conditions.map(({ value, given }) => value ?? given ?? null),
    keys === undefined ? null : fragmentOf(keys),
    groups.map((group) => group.map(valuesOf)),
  ];
}

/** JSON has no whole numbers of any length. */
function written(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
