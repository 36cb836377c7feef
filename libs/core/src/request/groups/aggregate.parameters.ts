import type { NamedPath } from '../../query/list.columns.js';
import { directionFrom } from '../../query/list.columns.js';
import type { Grouping, GroupMember, GroupPlan, GroupSort, Measure } from '../../query/groups/group.plan.js';
import type { PlanSource } from '../../query/plan.source.js';
import type { Criterion, Direction } from '../../query/query.plan.js';
import { leavesOf } from '../../query/criterion.js';
import { BadRequest } from '../../wire/refusals.js';
import { usualLimits, wildcardsIn } from '../../query/condition.cost.js';
import type { SearchLimits } from '../where.conditions.js';
import { GroupSearch, namedIn, type GroupRequest, type WordPart } from './group.search.js';
import { HavingEntry } from './having.entry.js';

/** The words of an Aggregate; the contract's body says `measures` where a query string says `measure`. */
const queryWords = ['group_by', 'measure', 'sort', 'direction'] as const;
const bodyWords = ['group_by', 'measures', 'having', 'sort', 'direction'] as const;

/** A word of an Aggregate. */
export type AggregateWord = (typeof queryWords)[number] | (typeof bodyWords)[number] | 'time_zone';

type Words = ReadonlyMap<AggregateWord, WordPart>;

/** The facts that an Aggregate reads its requests by. */
export interface AggregateSource {
  readonly plan: PlanSource;
  readonly limits: SearchLimits;
  /** True if links to pages have words of a body in their query string. */
  readonly linksPages: boolean;
  readonly required: readonly NamedPath[];
  readonly groupings: ReadonlyMap<string, Grouping>;
  readonly measures: ReadonlyMap<string, Measure>;
  readonly maximumGroupings: number;
  readonly minimum: number;
  readonly timeZone: string;
  /** Tells if the database knows a time zone; undefined where clients select none. */
  readonly knowsTimeZone: ((name: string) => Promise<boolean>) | undefined;
}

const mostValues = 1000;

/** Reads what an Aggregate is asked for into a {@link GroupPlan}. Made once per endpoint. */
export class AggregateParameters {
  readonly search: GroupSearch<AggregateWord>;
  readonly #having: HavingEntry;
  readonly #count: readonly Measure[];

  constructor(private readonly source: AggregateSource) {
    const { plan, limits, linksPages, required, groupings, measures, knowsTimeZone } = source;
    const zone = knowsTimeZone === undefined ? [] : (['time_zone'] as const);
    const isThere = (word: AggregateWord): boolean => groupings.size > 0 || !ofGroups.includes(word);
    const words = {
      query: [...queryWords, ...zone].filter(isThere),
      body: [...bodyWords, ...zone].filter(isThere),
      lists: ['group_by', 'measure'] as const,
      refused: [],
    };
    this.search = new GroupSearch<AggregateWord>(plan, limits, linksPages, words, required);
    this.#having = new HavingEntry(plan.names, measures, limits.maximumInValues ?? mostValues);
    this.#count = [...measures.values()].filter(({ text }) => text === 'count');
  }

  /** @throws BadRequest for what is unknown or out of range @throws InvalidInput for a term of the wrong type */
  async read(request: GroupRequest): Promise<GroupPlan> {
    const { words, plan } = this.search.read(request);
    const groupings = this.#groupings(words.get('group_by'));
    const measures = this.#measures(words.get('measure') ?? words.get('measures'));
    const having = this.#conditions(words.get('having'), groupings, plan.conditions);
    return {
      groupings,
      measures,
      having,
      sorts: sortsOf(words, groupings, [...groupings, ...measures]),
      conditions: plan.conditions,
      minimum: this.source.minimum,
      limit: plan.limit,
      start: 'start' in plan.from ? plan.from.start : 0,
      counts: plan.count === 'exact' && groupings.length > 0,
      timeZone: await this.#timeZone(words.get('time_zone')),
    };
  }

  #groupings(part: WordPart | undefined): readonly Grouping[] {
    if (part === undefined) return [];
    const chosen = namedIn(part, this.source.groupings);
    const most = this.source.maximumGroupings;
    if (chosen.length <= most) return chosen;
    throw new BadRequest(`'${part.name}' must not have more than ${most} columns`);
  }

  #measures(part: WordPart | undefined): readonly Measure[] {
    const chosen = part === undefined ? [] : namedIn(part, this.source.measures);
    return chosen.length === 0 ? this.#count : chosen;
  }

  /** The conditions of `having`. They and those of `where` have one limit together: they are work for one statement. */
  #conditions(
    part: WordPart | undefined,
    groupings: readonly Grouping[],
    conditions: readonly Criterion[],
  ): GroupPlan['having'] {
    if (part === undefined) return [];
    const { name, value } = part;
    if (!Array.isArray(value)) throw new BadRequest(`'${name}' must be a list`);
    const others = leavesOf(conditions);
    const { maximumConditions = usualLimits.conditions, maximumWildcards = usualLimits.wildcards } =
      this.source.limits;
    if (value.length + others.length > maximumConditions)
      throw new BadRequest(
        `'${name}' must not have more than ${maximumConditions - others.length} conditions`,
      );
    // Without groups it would say of all records whether they are more than so many.
    if (value.length > 0 && groupings.length === 0)
      throw new BadRequest(`'${name}' needs '${this.source.plan.names.control('group_by')}'`);
    const having = value.map((sent, index) => this.#having.read(`${name} ${index + 1}`, sent));
    const most = maximumWildcards - wildcardsIn(others);
    if (wildcardsIn(having) > most)
      throw new BadRequest(`'${name}' must not have more than ${most} wildcards`);
    return having;
  }

  async #timeZone(part: WordPart | undefined): Promise<string> {
    if (part === undefined) return this.source.timeZone;
    const { name, value } = part;
    if (typeof value === 'string' && (await this.source.knowsTimeZone?.(value)) === true) return value;
    throw new BadRequest(`'${name}' is not known`);
  }
}

/** The words that mean nothing where there are no groups. */
const ofGroups: readonly AggregateWord[] = ['group_by', 'having', 'time_zone'];

/** The order that is asked for, with all groupings behind, so that it is total. */
function sortsOf(words: Words, groupings: readonly Grouping[], members: readonly GroupMember[]): GroupSort[] {
  const direction = directionOf(words.get('direction'));
  const first = sortOf(words.get('sort'), members) ?? groupings[0];
  const others = groupings.filter((grouping) => grouping !== first);
  return [
    ...(first === undefined ? [] : [{ member: first, direction }]),
    ...others.map((member) => ({ member, direction: 'asc' as const })),
  ];
}

function sortOf(part: WordPart | undefined, members: readonly GroupMember[]): GroupMember | undefined {
  if (part === undefined) return undefined;
  const member = members.find(({ name }) => name === part.value);
  if (member !== undefined) return member;
  throw new BadRequest(`'${part.name}' must be of what is grouped or measured`);
}

function directionOf(part: WordPart | undefined): Direction {
  if (part === undefined) return 'asc';
  const direction = directionFrom(part.value);
  if (direction !== undefined) return direction;
  throw new BadRequest(`'${part.name}' must be asc or desc`);
}
