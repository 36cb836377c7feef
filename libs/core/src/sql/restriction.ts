import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { ExactText } from './dialects/exact.text.js';

/** SQL with `?` placeholders and its values, as MikroORM's query builder hands it over. */
export interface Fragment {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

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
  /**
   * The comparison of texts to the last letter, which `=` and `in` are not where a collation takes others for the same; undefined
   * where they are, and for conditions that do not say whose a record is.
   */
  readonly exact?: ExactText | undefined;
  /** True if {@link given} is what the database keeps already, as filters of MikroORM have it. Default false. */
  readonly isStored?: boolean;
  /** True if a record that is written must meet it, too. Default false: it says who sees, not what may become of it. */
  readonly isSticky?: boolean;
  /**
   * True if it is about the records that a statement is for, not about those that they refer to, though these be of the same
   * entity: the parent in a tree. Default false.
   */
  readonly isOfSubject?: boolean;
  /** True if it is about the records that others refer to, and not about those that a statement is for. Default false. */
  readonly isOfReferred?: boolean;
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
  /** The one that it was joined to last, and what they are together: what filters say is the same for all requests. */
  #joined: readonly [Restriction, Restriction] | undefined;
  #sticky: Restriction | undefined;

  constructor({ conditions = [], keys, groups = [] }: RestrictionParts) {
    this.conditions = conditions;
    this.keys = keys;
    this.groups = groups;
    this.shape = shapeOf(this);
  }

  /** True if it says what written records must meet: a choice does where each of its members does. */
  get binds(): boolean {
    return this.conditions.some(({ isSticky }) => isSticky === true) || this.groups.some(isBinding);
  }

  /** The records that this and another one let a request see. Most often these are a rule's conditions and a filter's. */
  and(other: Restriction): Restriction {
    if (this.#joined?.[0] === other) return this.#joined[1];
    const together = joined([this, other]);
    this.#joined = [other, together];
    return together;
  }

  /** The part that written records must meet. */
  get sticky(): Restriction {
    const { conditions, groups } = this;
    this.#sticky ??= new Restriction({
      conditions: conditions.filter(({ isSticky }) => isSticky === true),
      groups: groups.filter(isBinding).map((group) => group.map(({ sticky }) => sticky)),
    });
    return this.#sticky;
  }

  /** True if a sub-select says which records these are. */
  get hasKeys(): boolean {
    return this.keys !== undefined || this.groups.some((group) => group.some(({ hasKeys }) => hasKeys));
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

/** True if a choice says what written records must meet: each of its members does. */
export function isBinding(group: readonly Restriction[]): boolean {
  return group.every(({ binds }) => binds);
}

/** The records of each entity that a request may see. No entry means all. */
export type Restrictions = ReadonlyMap<EntityMetadata, Restriction>;

export const unrestricted: Restrictions = new Map();

/** The conditions that hold for records which others refer to. */
export function referredTo(conditions: readonly PlainCondition[]): readonly PlainCondition[] {
  return conditions.filter(({ isOfSubject }) => isOfSubject !== true);
}

/** The conditions that hold for the records which a statement is for. */
export function ofSubject(conditions: readonly PlainCondition[]): readonly PlainCondition[] {
  return conditions.filter(({ isOfReferred }) => isOfReferred !== true);
}

/** The records that all of some restrictions let a request see; undefined where there is none. */
export function together(restrictions: readonly (Restriction | undefined)[]): Restriction | undefined {
  const given = restrictions.filter((one) => one !== undefined);
  return given.length < 2 ? given[0] : joined(given);
}

function joined(given: readonly Restriction[]): Restriction {
  return new Restriction({
    conditions: given.flatMap(({ conditions }) => conditions),
    keys: inAll(given.flatMap(({ keys }) => keys ?? [])),
    groups: given.flatMap(({ groups }) => groups),
  });
}

/** The records that both of two restrictions let a request see; undefined where neither narrows. */
export function both(one: Restriction | undefined, other: Restriction | undefined): Restriction | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one.and(other);
}

/** The parts of restrictions that written records must meet. */
export function stickyOf(restrictions: Restrictions): Restrictions {
  let sticky: Map<EntityMetadata, Restriction> | undefined;
  for (const [meta, restriction] of restrictions)
    if (restriction.binds) (sticky ??= new Map()).set(meta, restriction.sticky);
  return sticky ?? unrestricted;
}

/** The length of a list tells statements apart where each value is a parameter of its own. */
function wordOf({
  property,
  comparison,
  value,
  exact,
  isSticky,
  isOfSubject,
  isOfReferred,
}: PlainCondition): string {
  const length = Array.isArray(value) ? ` ${value.length}` : '';
  const sticky = isSticky === true ? ' sticky' : '';
  const about = `${isOfSubject === true ? ' own' : ''}${isOfReferred === true ? ' others' : ''}`;
  const letters = exact === undefined ? '' : ' exact';
  return `${property.name} ${comparison}${length}${letters}${sticky}${about}`;
}

/** The keys that are in all of some sub-selects; undefined when there is no sub-select. */
function inAll(fragments: readonly Fragment[]): Fragment | undefined {
  const [first] = fragments;
  if (fragments.length < 2) return first;
  // Each stands in a `from`, where it may have an order and a limit of its own.
  const selects = fragments.map(({ sql }, index) => `select * from (${sql}) as k${index}`);
  return { sql: selects.join(' intersect '), parameters: fragments.flatMap(({ parameters }) => parameters) };
}
