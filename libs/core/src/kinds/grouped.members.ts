import type { Endpoint } from '../endpoint/endpoint.js';
import type { OwnSegment } from '../endpoint/endpoint.group.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import { objectWith } from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';
import { optionRulesOf } from '../options/option.rules.js';
import { Aggregate, type AggregateOptions } from './read/aggregate.js';
import { Facets, type FacetsOptions } from './read/facets.js';

/** The options of a RestfulApi that add endpoints over groups of its records. */
export interface GroupedMemberOptions<E extends object, Entity = E, Text = string> {
  /**
   * Numbers about groups of records at `<url>/aggregate`: the options of an {@link Aggregate}, beside those of the API. `url`
   * names another segment. Default none.
   */
  readonly aggregate?: Partial<Omit<AggregateOptions<E, Entity, Text>, 'modelClass'>>;
  /** The values of columns at `<url>/facets`: the options of {@link Facets}, beside those of the API. Default none. */
  readonly facets?: Omit<FacetsOptions<E, Entity, Text>, 'modelClass'>;
}

/** The checks of the options of both. */
export const groupedMemberChecks = {
  aggregate: objectWith(optionRulesOf(Aggregate).checks),
  facets: objectWith(optionRulesOf(Facets).checks, ['facetColumnNames']),
} as const satisfies ChecksOf<GroupedMemberOptions<object>>;

const kinds = { aggregate: Aggregate, facets: Facets } as const satisfies Record<
  keyof GroupedMemberOptions<object>,
  unknown
>;

/** Options of a list that mean something else to groups. */
const ofListsAlone: readonly string[] = [
  'count',
  'defaultLimit',
  'maximumLimit',
  'pagination',
  'summary',
  'description',
];

interface Given {
  readonly aggregate?: object | undefined;
  readonly facets?: object | undefined;
  readonly requestMethods?: readonly HttpMethod[] | undefined;
}

/** The members of a RestfulApi that answer with groups. They stand before those by id, whose key a segment could be. */
export class GroupedMembers {
  /** The members, each with the options that the user wrote for it. */
  readonly endpoints: ReadonlyMap<Endpoint, { readonly name: string; readonly given: object }>;

  /**
   * @param knownTo picks the options that a kind knows
   * @param shared the options that all members are told
   */
  constructor(options: Given, knownTo: (kind: object, options: object) => object, shared: object) {
    const kept = Object.entries(shared).filter(([name]) => !ofListsAlone.includes(name));
    const told = { ...Object.fromEntries(kept), requestMethods: ['GET'] };
    const isAsked = options.requestMethods?.includes('GET') ?? true;
    const endpoints = new Map<Endpoint, { readonly name: string; readonly given: object }>();
    for (const name of isAsked ? (['aggregate', 'facets'] as const) : []) {
      const given = options[name];
      if (given === undefined) continue;
      const Kind = kinds[name] as new (options: object) => Endpoint;
      endpoints.set(new Kind({ ...knownTo(Kind, { ...told, url: name }), ...given }), { name, given });
    }
    this.endpoints = endpoints;
  }

  /** The segment of a member that the user did not name. */
  ownSegmentOf(member: Endpoint): OwnSegment | undefined {
    const { name, given = {} } = this.endpoints.get(member) ?? {};
    if (name === undefined || Object.hasOwn(given, 'url')) return undefined;
    return { option: `${name}.url`, segment: name };
  }

  /** Names an option of a member as the user wrote it. */
  optionOf(member: Endpoint, option: string): string {
    const { name = '', given = {} } = this.endpoints.get(member) ?? {};
    return Object.hasOwn(given, option) ? `${name}.${option}` : option;
  }
}
