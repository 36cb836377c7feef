import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { inAll } from './key.query.js';
import type { Fragment } from './statement.js';

/** The comparisons of a plain condition: those of a filter object that need no other table. */
export type PlainComparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'is null' | 'is not null';

/** A condition on a column of an entity's own table. */
export interface PlainCondition {
  readonly property: EntityProperty;
  readonly comparison: PlainComparison;
  /** The value as it is bound; of `in` a list of them; undefined where there is none. */
  readonly value?: unknown;
  /** The value as MikroORM takes it. */
  readonly given?: unknown;
  /** True if a record that is written must meet it, too. Default false: it says who sees, not what may become of it. */
  readonly isSticky?: boolean;
}

/** The parts of a restriction; each narrows. */
interface RestrictionParts {
  readonly conditions?: readonly PlainCondition[];
  /** A sub-select of keys, for what is no plain condition. */
  readonly keys?: Fragment | undefined;
  /** Groups of restrictions, of each of which a record must meet one. */
  readonly groups?: readonly (readonly Restriction[])[];
}

/**
 * The records of an entity that a request may see: those that meet all conditions, whose keys are in the sub-select where
 * there is one, and that meet one restriction of each group. Statements of one shape have one text.
 */
export class Restriction {
  readonly conditions: readonly PlainCondition[];
  readonly keys: Fragment | undefined;
  readonly groups: readonly (readonly Restriction[])[];
  /** The text by which statements are told apart. */
  readonly shape: string;

  /** @param shape the text that its parts have, where it is known */
  constructor({ conditions = [], keys, groups = [] }: RestrictionParts, shape?: string) {
    this.conditions = conditions;
    this.keys = keys;
    this.groups = groups;
    this.shape = shape ?? shapeOf(this);
  }

  /** True if it is conditions alone, so that one plan is good for all values. */
  get isPlain(): boolean {
    return this.keys === undefined && this.groups.length === 0;
  }
}

function shapeOf({ conditions, keys, groups }: Restriction): string {
  const [first] = conditions;
  // Most requests come here with one condition.
  if (conditions.length === 1 && first !== undefined && keys === undefined && groups.length === 0)
    return wordOf(first);
  const words = conditions.map(wordOf);
  if (keys !== undefined) words.push(keys.sql);
  for (const group of groups) words.push('(', ...group.map(({ shape }) => `or ${shape}`), ')');
  return words.join('\n');
}

/** The records of each entity that a request may see. No entry means all. */
export type Restrictions = ReadonlyMap<EntityMetadata, Restriction>;

export const unrestricted: Restrictions = new Map();

/** The records that all of some restrictions let a request see; undefined where there is none. */
export function together(restrictions: readonly (Restriction | undefined)[]): Restriction | undefined {
  const given = restrictions.filter((one) => one !== undefined);
  if (given.length < 2) return given[0];
  return new Restriction({
    conditions: given.flatMap(({ conditions }) => conditions),
    keys: inAll(given.flatMap(({ keys }) => keys ?? [])),
    groups: given.flatMap(({ groups }) => groups),
  });
}

/** The records that both of two restrictions let a request see. Most often these are a filter's and a rule's conditions. */
export function both(one: Restriction | undefined, other: Restriction | undefined): Restriction | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (!one.isPlain || !other.isPlain) return together([one, other]);
  const conditions = [...one.conditions, ...other.conditions];
  return new Restriction({ conditions }, `${one.shape}\n${other.shape}`);
}

/** The conditions that written records must meet, alone. */
export function stickyOf(restrictions: Restrictions): Restrictions {
  let sticky: Map<EntityMetadata, Restriction> | undefined;
  for (const [meta, { conditions }] of restrictions) {
    const kept = conditions.filter(({ isSticky }) => isSticky === true);
    if (kept.length > 0) (sticky ??= new Map()).set(meta, new Restriction({ conditions: kept }));
  }
  return sticky ?? unrestricted;
}

/** The length of a list tells statements apart where each value is a parameter of its own. */
function wordOf({ property, comparison, value, isSticky }: PlainCondition): string {
  const length = Array.isArray(value) ? ` ${value.length}` : '';
  return `${property.name} ${comparison}${length}${isSticky === true ? ' sticky' : ''}`;
}
