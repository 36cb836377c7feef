import type { NamedPath } from '../../query/list.columns.js';
import type { Grouping, GroupPlan, Measure } from '../../query/groups/group.plan.js';
import { isGroup } from '../../query/criterion.js';
import type { Criterion } from '../../query/query.plan.js';
import type { PlanSource } from '../../query/plan.source.js';
import { BadRequest } from '../../wire/refusals.js';
import { isStorable } from '../../model/values/storable.text.js';
import type { SearchLimits } from '../where.conditions.js';
import { namesSchema } from './aggregate.controls.js';
import {
  GroupSearch,
  namedIn,
  type GroupControls,
  type GroupRequest,
  type WordPart,
} from './group.search.js';

const words = ['facets', 'starts_with'] as const;

/** A word of Facets. */
export type FacetWord = (typeof words)[number];

/** The facts that Facets read their requests by. */
export interface FacetSource {
  readonly plan: PlanSource;
  readonly limits: SearchLimits;
  readonly required: readonly NamedPath[];
  readonly facets: ReadonlyMap<string, Grouping>;
  /** The measure that counts records; undefined where values come without. */
  readonly count: Measure | undefined;
  readonly ignoresOwnTerm: boolean;
  readonly minimum: number;
}

/** The longest beginning of a value, in characters. */
const longestPrefix = 1000;

/** Reads which facets are asked for: a plan for each. Made once per endpoint. */
export class FacetParameters {
  readonly #search: GroupSearch<FacetWord>;

  constructor(private readonly source: FacetSource) {
    const { plan, limits, required } = source;
    const known = {
      query: words,
      body: words,
      lists: ['facets'] as const,
      refused: ['sort', 'direction', 'start'],
    };
    this.#search = new GroupSearch<FacetWord>(plan, limits, false, known, required);
  }

  /** @throws BadRequest for what is unknown or out of range @throws InvalidInput for a term of the wrong type */
  read(request: GroupRequest): readonly GroupPlan[] {
    const { words, plan } = this.#search.read(request);
    const named = words.get('facets');
    const all = [...this.source.facets.values()];
    const facets = named === undefined ? all : namedIn(named, this.source.facets);
    const prefix = this.#prefix(words.get('starts_with'), facets);
    const { count, minimum, ignoresOwnTerm, required } = this.source;
    // Without a condition that a request must have, a client would read the values of all records.
    const mayIgnore = ({ path }: Grouping): boolean =>
      ignoresOwnTerm && !required.some((one) => one.path.text === path.text);
    return facets.map((facet) => ({
      groupings: [facet],
      measures: count === undefined ? [] : [count],
      having: [],
      sorts: [
        ...(count === undefined ? [] : [{ member: count, direction: 'desc' as const }]),
        { member: facet, direction: 'asc' },
      ],
      conditions: mayIgnore(facet)
        ? plan.conditions.filter((one) => !isAboutOnly(one, facet))
        : plan.conditions,
      minimum,
      limit: plan.limit,
      start: 0,
      counts: false,
      timeZone: 'UTC',
      prefix,
    }));
  }

  /** Describes what clients may send. */
  describe(): GroupControls {
    const { query, body, besideBody, refusals = [] } = this.#search.describe();
    const { names } = this.source.plan;
    const own = {
      [names.control('facets')]: namesSchema([...this.source.facets.keys()]),
      [names.control('starts_with')]: { type: 'string', minLength: 1, maxLength: longestPrefix },
    };
    return { query: { ...query, ...own }, body: { ...body, ...own }, besideBody, refusals };
  }

  #prefix(part: WordPart | undefined, facets: readonly Grouping[]): string | undefined {
    if (part === undefined) return undefined;
    const { name, value } = part;
    const [facet, ...others] = facets;
    const texts = [...this.source.facets.values()].filter(({ result }) => result.type.isText);
    if (facet === undefined || others.length > 0 || !texts.includes(facet))
      throw new BadRequest(
        `'${name}' needs exactly one facet of text${texts.length === 0 ? '' : `: ${texts.map((text) => text.name).join(', ')}`}`,
      );
    if (typeof value !== 'string' || value === '')
      throw new BadRequest(`'${name}' must be a text that is not empty`);
    if (value.length > longestPrefix)
      throw new BadRequest(`'${name}' must be at most ${longestPrefix} characters long`);
    if (!isStorable(value)) throw new BadRequest(`'${name}' has characters that no text may have`);
    return value;
  }
}

/** True for a condition on the facet's own column, and for a group of such ones. A group of others as well must hold. */
function isAboutOnly(criterion: Criterion, facet: Grouping): boolean {
  if (!isGroup(criterion)) return criterion.path.text === facet.path.text;
  return criterion.relations.length === 0 && criterion.members.every((one) => isAboutOnly(one, facet));
}
